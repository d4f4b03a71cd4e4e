/** Triggering: a stored or ad hoc playbook becomes an execution. */

import { createHash } from 'node:crypto';
import type { PlaybookId } from '../../cacao/ids.ts';
import type { Playbook } from '../../cacao/playbook.ts';
import { Refusal } from '../../errors/refusal.ts';
import type { JsonObject, JsonValue } from '../../json.ts';
import { validPlaybook } from '../../playbooks/keep-playbook.ts';
import type { Orchestrations } from '../../ports/orchestrations.ts';
import type { ExecutionId } from '../ids.ts';
import { newRun } from '../new-run.ts';
import { pin } from '../pinned.ts';
import type { Run } from '../run.ts';
import { tellStarted } from '../turn/tell-committed.ts';
import type { Workbench } from '../workbench.ts';
import { triggeredVariables } from './trigger-variables.ts';

export type Trigger = {
  readonly variables: JsonObject;
  readonly caller?: string;
  /** A repeated trigger with the same key answers the first run instead of starting another. */
  readonly idempotencyKey?: string;
};

/** Validated again before it runs (spec, Trigger). Refuses with `playbook-missing` and what follows. */
export async function triggerStored(
  bench: Workbench,
  orchestrations: Orchestrations,
  id: PlaybookId,
  trigger: Trigger,
): Promise<Run> {
  const document = await bench.stores.playbooks.get(id);
  if (document === undefined) throw new Refusal('playbook-missing', id);
  // A repeated request is the same one even when the stored playbook has changed meanwhile.
  return execute(bench, orchestrations, document, trigger, digestOf([id, trigger.variables]));
}

/** Refuses with `playbook-invalid`, `playbook-draft`, the `variable-...` codes and `idempotency-key-reused`. */
export async function triggerDocument(
  bench: Workbench,
  orchestrations: Orchestrations,
  document: JsonObject,
  trigger: Trigger,
): Promise<Run> {
  const requestDigest = digestOf([document, trigger.variables]);
  return execute(bench, orchestrations, document, trigger, requestDigest);
}

async function execute(
  bench: Workbench,
  orchestrations: Orchestrations,
  document: JsonObject,
  trigger: Trigger,
  requestDigest: string,
): Promise<Run> {
  const playbook = validPlaybook(bench.check, document);
  const given = triggeredVariables(playbook, trigger.variables);
  warnOfValidity(bench, playbook);
  const { caller, idempotencyKey } = trigger;
  const key = idempotencyKey === undefined ? {} : { idempotencyKey };
  const prepared = await bench.prepare?.({ playbook, variables: given, ...key });
  const { created, run } = await bench.stores.runs.create(
    newRun(bench, {
      pinned: pin(playbook, bench.parallel, bench.capabilities),
      variables: prepared ?? given,
      depth: 0,
      requestDigest,
      ...(caller === undefined ? {} : { caller }),
      ...key,
    }),
  );
  if (!created && run.requestDigest !== requestDigest) throw new Refusal('idempotency-key-reused');
  if (created) tellStarted(bench, run);
  if (run.status === 'ongoing') await start(bench, orchestrations, run.executionId);
  return run;
}

/**
 * Also for a repeated trigger: the first one may have died between the store and the engine. If it has
 * not, the run may end while it is being started again, and then there is nothing to start.
 */
async function start(
  bench: Workbench,
  orchestrations: Orchestrations,
  id: ExecutionId,
): Promise<void> {
  try {
    await orchestrations.start(id);
  } catch (error) {
    const run = await bench.stores.runs.get(id);
    if (run?.status === 'ongoing') throw error;
  }
}

function digestOf(request: JsonValue): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('base64url');
}

/** Validity and revocation do not stop an execution, but somebody should know. */
function warnOfValidity(bench: Workbench, playbook: Playbook): void {
  const nowMs = bench.clock.now();
  const { id, revoked, valid_from: from, valid_until: until } = playbook;
  const early = from !== undefined && nowMs < Date.parse(from);
  const late = until !== undefined && nowMs > Date.parse(until);
  if (revoked !== true && !early && !late) return;
  const reason = revoked === true ? 'revoked' : early ? 'not valid yet' : 'not valid any more';
  bench.log.warning('execution.playbook-not-valid', { playbookId: id, reason });
}
