/**
 * What a run is pinned to when it is triggered: the playbook as it was then and the plan compiled from
 * it. Both are stored with the run and never change, so they may be cached by execution id.
 */

import { authenticationDefinitions } from '../cacao/definitions.ts';
import type { Playbook } from '../cacao/playbook.ts';
import { compilePlan } from '../engine/compile.ts';
import type { Plan } from '../engine/plan.ts';
import type { JsonObject } from '../json.ts';
import type { RunStore } from '../ports/run-store.ts';
import type { CapabilityTable } from './capability-table.ts';
import type { ExecutionId } from './ids.ts';
import { secretTexts } from './redaction.ts';

export type Pinned = {
  readonly playbook: Playbook;
  readonly plan: Plan;
  /** Texts that are secrets once variables are inserted: its own and, in a called playbook, its callers'. */
  readonly secrets: readonly string[];
};

export function pin(
  playbook: Playbook,
  parallel: Plan['parallel'],
  capabilities: CapabilityTable,
  callerSecrets: readonly string[] = [],
): Pinned {
  const isManual = (agentId: string) => capabilities.isManual(playbook, agentId);
  const own = secretTexts(authenticationDefinitions(playbook));
  return {
    playbook,
    plan: compilePlan(playbook, { parallel, isManual }),
    secrets: [...new Set([...callerSecrets, ...own])],
  };
}

/** For the store. */
export function pinnedDocument(pinned: Pinned): JsonObject {
  return pinned as unknown as JsonObject;
}

/** Reads pinned documents through a small cache; a run advances many times in the same process. */
export class PinnedRuns {
  readonly #runs: RunStore;
  readonly #capacity: number;
  readonly #known = new Map<ExecutionId, Pinned>();

  constructor(runs: RunStore, capacity = 200) {
    this.#runs = runs;
    this.#capacity = capacity;
  }

  async get(id: ExecutionId): Promise<Pinned | undefined> {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const document = await this.#runs.snapshot(id);
    if (document === undefined) return undefined;
    const pinned = document as unknown as Pinned;
    this.#remember(id, pinned);
    return pinned;
  }

  forget(id: ExecutionId): void {
    this.#known.delete(id);
  }

  #remember(id: ExecutionId, pinned: Pinned): void {
    const oldest = this.#known.keys().next().value;
    if (this.#known.size >= this.#capacity && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(id, pinned);
  }
}
