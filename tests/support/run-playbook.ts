/** Triggers a playbook on a bench and drives it to its end. */

import { mainWalk } from '../../core/execution/ids.ts';
import { type Report, reportOf } from '../../core/execution/operations/report.ts';
import { triggerDocument } from '../../core/execution/operations/trigger.ts';
import type { Run } from '../../core/execution/run.ts';
import { advance } from '../../core/execution/turn/advance.ts';
import type { Order, Place } from '../../core/execution/turn/order.ts';
import type { JsonObject } from '../../core/json.ts';
import { drive, type TestBench } from './a-bench.ts';

export const noOrchestrations = {
  start: async () => {},
  wake: async () => {},
  forgetEnded: async () => {},
};

export type Ran = {
  readonly status: string;
  readonly report: Report;
  /** `<name>: <status>` of every step in the report, in its order. */
  readonly steps: readonly string[];
  readonly performed: readonly string[];
};

/** Triggers a playbook and takes turns until there is something to wait for, or its end. */
export async function begin(
  bench: TestBench,
  playbook: JsonObject,
  variables: JsonObject = {},
): Promise<Run> {
  const run = await triggerDocument(bench, noOrchestrations, playbook, { variables });
  let order: Order = { do: 'turn', turn: 0 };
  while (order.do === 'turn') {
    order = await advance(bench, { execution: run.executionId, walk: mainWalk, turn: order.turn });
  }
  return run;
}

export async function run(
  bench: TestBench,
  playbook: JsonObject,
  variables: JsonObject = {},
  onWait?: (order: Extract<Order, { readonly do: 'wait' }>, place: Place) => Promise<void> | void,
): Promise<Ran> {
  const { executionId } = await triggerDocument(bench, noOrchestrations, playbook, { variables });
  await drive(bench, executionId, onWait);
  const report = await reportOf(bench.stores, executionId);
  if (report === undefined) throw new Error('The run left no report.');
  const steps = report.steps.map(({ latest }) => `${latest.name}: ${latest.status}`);
  return { status: report.run.status, report, steps, performed: bench.performed };
}
