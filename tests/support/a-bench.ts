/** The real core over the memory store, with a capability that does what a test tells it. */

import { viewPlaybook } from '../../core/cacao/playbook.ts';
import { validatePlaybook } from '../../core/cacao/validation/validate-playbook.ts';
import { CapabilityTable } from '../../core/execution/capability-table.ts';
import { type ExecutionId, mainWalk } from '../../core/execution/ids.ts';
import { PinnedRuns } from '../../core/execution/pinned.ts';
import { advance } from '../../core/execution/turn/advance.ts';
import type { Order, Place } from '../../core/execution/turn/order.ts';
import type { Workbench } from '../../core/execution/workbench.ts';
import type { JsonObject } from '../../core/json.ts';
import {
  type CommandOutcome,
  type Invocation,
  type StepContext,
  statelessCapability,
} from '../../core/ports/capability.ts';
import type { RunEvent } from '../../core/ports/reporter.ts';
import type { Stores } from '../../core/ports/stores.ts';
import { createMemoryStores } from '../../infra/stores/memory/create-memory-stores.ts';
import { noLog } from './no-log.ts';

export type Performer = (
  invocation: Invocation,
  step: StepContext,
) => CommandOutcome | Promise<CommandOutcome>;

export const succeeds: Performer = () => ({ ok: true, values: {} });

export type TestBench = Workbench & {
  /** Moves the frozen clock. */
  pass(ms: number): void;
  readonly events: readonly RunEvent[];
  /** Command texts in the order they were performed. */
  readonly performed: readonly string[];
};

export function aBench(
  perform: Performer = succeeds,
  more: Partial<Omit<Workbench, 'limits'>> & {
    readonly limits?: Partial<Workbench['limits']>;
  } = {},
): TestBench {
  let nowMs = Date.UTC(2026, 0, 2);
  let uuids = 0;
  const stores: Stores = more.stores ?? createMemoryStores();
  const performed: string[] = [];
  const events: RunEvent[] = [];
  const capability = statelessCapability('http-api', async (invocation, step) => {
    performed.push(invocation.text);
    return perform(invocation, step);
  });
  const capabilities = more.capabilities ?? new CapabilityTable([capability], ['svc', 'soarca']);
  const options = { knownCapabilities: capabilities.names, agentPrefixes: capabilities.prefixes };
  return {
    stores,
    pinned: new PinnedRuns(stores.runs),
    check: (document) => {
      const { valid, findings } = validatePlaybook(document, options);
      if (!valid) return { ok: false, findings };
      return { ok: true, findings, playbook: viewPlaybook(document as JsonObject) };
    },
    capabilities,
    cancellations: { watch: () => ({ signal: new AbortController().signal, stop: () => {} }) },
    signals: { ended: () => {}, waitForEnd: async () => {} },
    clock: { now: () => nowMs },
    ids: {
      uuid: () => {
        uuids += 1;
        return `00000000-0000-4000-8000-${String(uuids).padStart(12, '0')}`;
      },
    },
    log: noLog,
    securityLog: { record: () => {} },
    report: (event) => void events.push(event),
    parallel: 'sequential',
    pass: (ms) => {
      nowMs += ms;
    },
    events,
    performed,
    ...more,
    limits: {
      stepTimeoutMs: 600_000,
      manualTimeoutMs: 600_000,
      loopTurns: 10_000,
      movesPerTurn: 500,
      playbookDepth: 16,
      ...more.limits,
    },
  };
}

/** Follows the orders as the durable driver does, but answers `wait` by letting `onWait` decide. */
export async function drive(
  bench: TestBench,
  execution: ExecutionId,
  onWait: (
    order: Extract<Order, { readonly do: 'wait' }>,
    place: Place,
  ) => Promise<void> | void = ({ forMs }) => bench.pass(forMs),
  walk = mainWalk,
): Promise<string> {
  let place: Place = { execution, walk, turn: 0 };
  for (let orders = 0; orders < 200_000; orders += 1) {
    const order = await advance(bench, place);
    if (order.do === 'finish') return order.status;
    if (order.do === 'wait') await onWait(order, place);
    if (order.do === 'join') {
      for (const { place: other } of order.places) {
        await drive(bench, other.execution, onWait, other.walk);
      }
    }
    place = { ...place, turn: order.turn };
  }
  throw new Error('The walk does not end.');
}
