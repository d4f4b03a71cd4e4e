/**
 * `npm run demo`: starts the product, executes examples/demo.json against a stand-in for the systems it
 * names, answers its question to a person, and prints what happens and the report. Ends with code 1 when
 * anything is not as it should be.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { viewPlaybook } from '../core/cacao/playbook.ts';
import type { JsonObject } from '../core/json.ts';
import { type Api, apiAt, type Report } from './demo/api.ts';
import { Progress } from './demo/progress.ts';
import { type Executed, reportTree } from './demo/report-tree.ts';
import { startStandIn } from './demo/stand-in.ts';
import { startProduct } from './demo/start-product.ts';
import { verify } from './demo/verify.ts';

const TIME_LIMIT_MS = 60_000;
const POLL_MS = 25;
const THINKING_MS = 400;

const interrupted = new AbortController();
const interrupt = () => interrupted.abort(new Error('The demo was interrupted.'));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt);
// Whoever reads the output has gone.
process.stdout.on('error', interrupt);

const limit = AbortSignal.any([AbortSignal.timeout(TIME_LIMIT_MS), interrupted.signal]);
try {
  await demo(limit);
} catch (error) {
  const reason: unknown = limit.aborted ? limit.reason : error;
  console.error(reason instanceof Error ? reason.message : reason);
  process.exitCode = 1;
}

async function demo(signal: AbortSignal): Promise<void> {
  await using parts = new AsyncDisposableStack();
  const standIn = await startStandIn();
  parts.defer(() => standIn.close());
  const product = await startProduct(join(import.meta.dirname, '..'), signal);
  parts.defer(() => product.stop());
  console.log(`The product listens on ${product.url}, the systems around it on ${standIn.url}.\n`);

  const api = apiAt(product.url, signal);
  const [called, playbook] = await Promise.all([read('purge-message'), read('demo')]);
  await api.store(called);
  await api.store(playbook);
  const where = { type: 'uri', value: standIn.url };
  const { id } = viewPlaybook(playbook);
  const executionId = await api.trigger(id, { __soc__: where, __mail__: where });
  const report = await watch(api, executionId, signal);

  const executed = { playbook: viewPlaybook(playbook), report, called: new Map() };
  const child = await calledBy(api, report, called);
  console.log(`\n${reportTree({ ...executed, called: child }).join('\n')}\n`);
  verify(report, child, standIn.calls);
  console.log(`${standIn.calls.length} calls were made, and everything is as it should be.`);
}

/** To the end of the execution; its question is answered on the way. */
async function watch(api: Api, executionId: string, signal: AbortSignal): Promise<Report> {
  const progress = new Progress(console.log);
  for (;;) {
    const { report, finished } = await api.report(executionId);
    progress.look(report);
    if (finished) return report;
    for (const command of await api.pending()) {
      progress.say('asks', command.command);
      await delay(THINKING_MS, undefined, { signal });
      progress.say('answer', 'isolate');
      await api.answer(command, { __decision__: { type: 'string', value: 'isolate' } });
    }
    await delay(POLL_MS, undefined, { signal });
  }
}

async function calledBy(
  api: Api,
  { step_results }: Report,
  playbook: JsonObject,
): Promise<ReadonlyMap<string, Executed>> {
  const ids = Object.values(step_results).flatMap(({ sub_execution_id: id }) => id ?? []);
  const executed = ids.map(async (id): Promise<readonly [string, Executed]> => {
    const { report } = await api.report(id);
    return [id, { playbook: viewPlaybook(playbook), report, called: new Map() }];
  });
  return new Map(await Promise.all(executed));
}

async function read(name: string): Promise<JsonObject> {
  const text = await readFile(join(import.meta.dirname, `${name}.json`), 'utf8');
  return JSON.parse(text) as JsonObject;
}
