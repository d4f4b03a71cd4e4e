import type { Caller } from './permissions.ts';

/**
 * Who called, for run records, reports and security events: `name <id>`, because names can change and
 * be chosen, ids cannot. Undefined while authentication is off.
 */
export function callerLabel({ name, id }: Caller): string | undefined {
  if (name === undefined || id === undefined || name === id) return name ?? id;
  return `${name} <${id}>`;
}
