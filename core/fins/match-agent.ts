/** Which fin carries out the commands of an agent. */

import type { Fin, FinCapability, Fins } from './fin.ts';

export type Match = { readonly fin: Fin; readonly capability: FinCapability };

type AgentName = { readonly key: string; readonly name: string };
type Rule = (agent: AgentName, capability: FinCapability) => boolean;

/** In this order; a later rule is asked only when no fin matches the earlier ones. */
const rules: readonly Rule[] = [
  ({ name }, { agents }) => Object.values(agents).some((agent) => agent.name === name),
  ({ name }, { id }) => name === id,
  (agent, { name }) => agent.name === name,
  ({ key }, { agents }) => Object.hasOwn(agents, key),
];

/**
 * `agent.key` is the key of the agent's definition in the playbook. Of several fins the one registered
 * last that has not failed; a failed one rather than none, because it may have recovered.
 */
export function matchAgent(fins: Fins, agent: AgentName): Match | undefined {
  const offers = fins
    .filter(({ state }) => state !== 'stopped')
    .flatMap((fin) => fin.capabilities.map((capability): Match => ({ fin, capability })));
  for (const rule of rules) {
    const matches = offers.filter(({ capability }) => rule(agent, capability));
    const match = matches.findLast(({ fin }) => fin.state !== 'failed') ?? matches.at(-1);
    if (match !== undefined) return match;
  }
  return undefined;
}
