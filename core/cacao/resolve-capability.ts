/**
 * Which native capability an agent stands for (spec, Execution rules 5). Names are written
 * `<prefix>-<capability>`, `svc-ssh` for example; the prefixes are a setting.
 */

/** The capabilities every installation has, by bare name. */
export const nativeCapabilities = [
  'ssh',
  'http-api',
  'openc2-http',
  'powershell',
  'manual',
  'caldera-cmd',
] as const;

/** Capabilities that may run a command without a target. */
export const targetlessCapabilities: ReadonlySet<string> = new Set(['manual']);

/**
 * Answers the capability's bare name, `ssh` for example. In order: (a) the name is a capability and the
 * type is a prefix or equals the name; (b) the type is a capability; (d) the name is a capability, whatever
 * the type. Fins (c) are matched by the caller where this answers undefined.
 */
export function resolveCapability(
  agent: { readonly type: string; readonly name: string },
  knownCapabilities: ReadonlySet<string>,
  agentPrefixes: readonly string[],
): string | undefined {
  const byName = bareName(agent.name, knownCapabilities, agentPrefixes);
  const byType = bareName(agent.type, knownCapabilities, agentPrefixes);
  const nameIsMeant = agentPrefixes.includes(agent.type) || agent.type === agent.name;
  return (nameIsMeant ? byName : undefined) ?? byType ?? byName;
}

function bareName(
  text: string,
  knownCapabilities: ReadonlySet<string>,
  agentPrefixes: readonly string[],
): string | undefined {
  for (const prefix of agentPrefixes) {
    const bare = text.startsWith(`${prefix}-`) ? text.slice(prefix.length + 1) : undefined;
    if (bare !== undefined && knownCapabilities.has(bare)) return bare;
  }
  return undefined;
}
