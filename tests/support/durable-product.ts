/**
 * The product without its edge, in this process: the orchestrator and the activity on the real SDK and the
 * embedded durable engine, over any store, with a capability that does what its user tells it.
 */

import '../infra/local/durable/fixture/functions-app.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wakeEvent } from '../../core/engine/wake-event.ts';
import { type ExecutionId, mainWalk } from '../../core/execution/ids.ts';
import { awaitEnd } from '../../core/execution/operations/await-end.ts';
import { triggerDocument } from '../../core/execution/operations/trigger.ts';
import { instanceIdOf } from '../../core/execution/turn/order.ts';
import type { Workbench } from '../../core/execution/workbench.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Orchestrations } from '../../core/ports/orchestrations.ts';
import type { Stores } from '../../core/ports/stores.ts';
import { turnActivity } from '../../functions/activities/turn.ts';
import type { Composition } from '../../functions/composition.ts';
import { walkExecution } from '../../functions/orchestrators/execution.ts';
import { executionName, turnName } from '../../functions/orchestrators/names.ts';
import { createDurableHost } from '../../infra/local/durable/create-durable-host.ts';
import type {
  DurableHost,
  DurableOptions,
  FunctionCaller,
} from '../../infra/local/durable/durable-host.ts';
import { LocalRunSignals } from '../../infra/process/local-run-signals.ts';
import { randomIds, systemClock } from '../../infra/process/system-clock.ts';
import { appCaller } from '../infra/local/durable/fixture/functions-app.ts';
import { address, defaultOptions } from '../infra/local/durable/fixture/host-defaults.ts';
import { aBench, type Performer } from './a-bench.ts';
import { noLog } from './no-log.ts';

// Through require, so that the stand-in above answers for the worker also under a test runner.
const df = createRequire(import.meta.url)(
  'durable-functions',
) as typeof import('durable-functions');

/** Functions are registered once per process; they serve the product opened last. */
let current: Workbench | undefined;
df.app.orchestration(executionName, walkExecution);
df.app.activity(turnName, {
  handler: turnActivity(async () => ({ bench: current }) as unknown as Composition),
});

export type ProductOptions = {
  readonly stores: Stores;
  readonly perform?: Performer;
  readonly durable?: Partial<DurableOptions>;
  readonly parallel?: Workbench['parallel'];
  readonly limits?: Partial<Workbench['limits']>;
  /** Sees every call of an orchestrator or activity. */
  readonly around?: (caller: FunctionCaller) => FunctionCaller;
};

export type DurableProduct = {
  readonly bench: Workbench;
  readonly host: DurableHost;
  readonly orchestrations: Orchestrations;
  readonly databasePath: string;
  begin(playbook: JsonObject): Promise<ExecutionId>;
  /** Begins an execution and waits for its end. */
  execute(playbook: JsonObject): Promise<ExecutionId>;
  /** Stops the engine, closes the stores, and removes the durable database. */
  dispose(): Promise<void>;
};

export async function openProduct(options: ProductOptions): Promise<DurableProduct> {
  const folder = mkdtempSync(join(tmpdir(), 'product-'));
  const databasePath = join(folder, 'durable.db');
  const { stores, perform, parallel = 'sequential', limits = {} } = options;
  const signals = new LocalRunSignals();
  const parts = { stores, parallel, limits, signals, clock: systemClock, ids: randomIds };
  const bench: Workbench = aBench(perform, parts);
  current = bench;
  const host = createDurableHost(
    address,
    { ...defaultOptions, maxOrchestrationActions: 100_000, databasePath, ...options.durable },
    { now: Date.now, log: noLog },
  );
  await host.start((options.around ?? same)(appCaller()));
  const orchestrations = orchestrationsOf(host);
  const begin = async (playbook: JsonObject) =>
    (await triggerDocument(bench, orchestrations, playbook, { variables: {} })).executionId;
  return {
    bench,
    host,
    orchestrations,
    databasePath,
    begin,
    async execute(playbook) {
      const id = await begin(playbook);
      await awaitEnd(bench, id, undefined);
      return id;
    },
    async dispose() {
      await host.stop(1_000);
      await stores.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function same(caller: FunctionCaller): FunctionCaller {
  return caller;
}

function orchestrationsOf(host: DurableHost): Orchestrations {
  const post = async (path: string, body: unknown) => {
    await host.manage({
      method: 'POST',
      path,
      query: new URLSearchParams(),
      contentType: 'application/json',
      body: JSON.stringify(body),
    });
  };
  return {
    start: (id) =>
      post(`orchestrators/${executionName}/${id}`, { execution: id, walk: mainWalk, turn: 0 }),
    wake: (id, walk, turn) =>
      post(`instances/${instanceIdOf(id, walk)}/raiseEvent/${wakeEvent(turn)}`, null),
    forgetEnded: async () => {},
  };
}
