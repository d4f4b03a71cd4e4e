/** Values a caller gives for variables of the playbook it triggers. */

import type { Playbook, Variable, Variables } from '../../cacao/playbook.ts';
import { variableIn } from '../../cacao/variables.ts';
import { Refusal } from '../../errors/refusal.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';

/**
 * The scope the run begins with. Each name must be declared with `external: true` and the same type;
 * only its value is taken over. Refuses with the `variable-...` codes.
 */
export function triggeredVariables(playbook: Playbook, given: JsonObject): Variables {
  const declared = playbook.playbook_variables ?? {};
  const values = Object.entries(given).map(([name, entry]) => [
    name,
    withValue(name, variableIn(declared, name), entry),
  ]);
  return { ...declared, ...Object.fromEntries(values) };
}

function withValue(name: string, declared: Variable | undefined, entry: JsonValue): Variable {
  if (declared === undefined) throw new Refusal('variable-unknown', name);
  if (!isJsonObject(entry)) throw new Refusal('variable-value-invalid', name);
  if (declared.external !== true) throw new Refusal('variable-not-external', name);
  if (entry['type'] !== declared.type) {
    const type = entry['type'];
    const stated = typeof type === 'string' ? type : 'nothing';
    throw new Refusal('variable-type-mismatch', name, declared.type, stated);
  }
  const inner = entry['name'];
  if (inner !== undefined && inner !== name) {
    throw new Refusal(
      'variable-name-mismatch',
      name,
      typeof inner === 'string' ? inner : 'no text',
    );
  }
  const value = valueText(entry['value'], declared.type);
  if (value === undefined) throw new Refusal('variable-value-invalid', name);
  return { ...declared, value };
}

/** Every value is text (spec, Execution rules 9); undefined for what cannot be one. */
export function valueText(value: JsonValue | undefined, type: string): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return JSON.stringify(value);
  const isTree = typeof value === 'object' && value !== null;
  return isTree && type === 'dictionary' ? JSON.stringify(value) : undefined;
}
