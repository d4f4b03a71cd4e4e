/** Finds the capability that carries out an agent's commands: a native one, else a registered fin. */

import { agentDefinitions, definitionOf } from '../cacao/definitions.ts';
import type { Agent, Playbook } from '../cacao/playbook.ts';
import { resolveCapability } from '../cacao/resolve-capability.ts';
import type { Capability } from '../ports/capability.ts';

/** Matches agents no native capability answers to. Resolved when the step runs, not when it is triggered. */
export interface FinDirectory {
  find(agentId: string, agent: Agent): Promise<Capability | undefined>;
}

export const manualCapability = 'manual';

export class CapabilityTable {
  readonly names: ReadonlySet<string>;
  readonly prefixes: readonly string[];
  readonly #native: ReadonlyMap<string, Capability>;
  readonly #fins: FinDirectory | undefined;

  /** `prefixes` of agent names mean this service; `svc` makes `svc-ssh` the ssh capability. */
  constructor(native: readonly Capability[], prefixes: readonly string[], fins?: FinDirectory) {
    this.#native = new Map(native.map((capability) => [capability.name, capability]));
    this.names = new Set([...this.#native.keys(), manualCapability]);
    this.prefixes = prefixes;
    this.#fins = fins;
  }

  /** Manual steps are answered by people; no capability performs them. */
  isManual(playbook: Playbook, agentId: string): boolean {
    const agent = definitionOf(agentDefinitions(playbook), agentId);
    return agent !== undefined && this.#nameFor(agent) === manualCapability;
  }

  /** The prefix an agent of ours is named with, when it is not `svc`. */
  foreignPrefix({ name, type }: Agent): string | undefined {
    return this.prefixes.find(
      (prefix) =>
        prefix !== 'svc' && (name.startsWith(`${prefix}-`) || type.startsWith(`${prefix}-`)),
    );
  }

  async find(agentId: string, agent: Agent): Promise<Capability | undefined> {
    const name = this.#nameFor(agent);
    if (name !== undefined) return this.#native.get(name);
    return this.#fins?.find(agentId, agent);
  }

  #nameFor(agent: Agent): string | undefined {
    return resolveCapability(agent, this.names, this.prefixes);
  }
}
