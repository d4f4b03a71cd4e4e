/**
 * Starts the embedded Functions host: one process that loads the app and serves its HTTP, timer and
 * durable functions.
 *
 * H1  What can be refused is refused before the app runs: settings, certificate, port, data directory.
 * H2  The app knows its port before it loads; a request that comes earlier waits until all is ready.
 * H3  A start that fails, and a stop, take down what is up in reverse order.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../core/ports/log.ts';
import { createDurablePart, type DurablePart, startEngine } from './durable-part.ts';
import { createFunctionCaller } from './function-caller.ts';
import { openHostDatabase } from './host-database.ts';
import { createAccessKeys } from './http/access-keys.ts';
import { serveWebhook, webhookPath } from './http/durable-endpoint.ts';
import { HttpFrontend } from './http/http-frontend.ts';
import { createRouter } from './http/router.ts';
import { readTlsFiles } from './http/tls-files.ts';
import { durableClientInputs, needsDurableEngine, warnAboutUnserved } from './served-triggers.ts';
import { announcePort, type Environment } from './settings/environment.ts';
import { type HostJson, parseHostJson } from './settings/host-json.ts';
import type { HostSettings } from './settings/host-settings.ts';
import { TakeDown, within } from './take-down.ts';
import { systemAlarmClock } from './timer/alarm.ts';
import { readTimerFunctions } from './timer/timer-functions.ts';
import { TimerRunner } from './timer/timer-runner.ts';
import type { RegisteredFunction } from './worker/function-registry.ts';
import type { NamedData } from './worker/typed-data.ts';
import { startWorker, type Worker } from './worker/worker.ts';

export type HostOptions = {
  /** Holds package.json and host.json. */
  readonly appDirectory: string;
  readonly settings: HostSettings;
  readonly environment: Environment;
  readonly log: Log;
};

export type RunningHost = {
  readonly port: number;
  /** Scheme, localhost and port. */
  readonly url: string;
  /** Lets work in progress finish for as long as the settings say. Never rejects. */
  stop(): Promise<void>;
};

// The longest wait for requests without an answer: some wait for runs that last for hours.
const answerGraceMs = 3000;
const terminateHooksMs = 5000;

/** Throws a StartError for everything a person can put right. */
export async function startHost(options: HostOptions): Promise<RunningHost> {
  const takeDown = new TakeDown(options.log);
  try {
    return await bringUp(options, takeDown);
  } catch (error) {
    await takeDown.run(0);
    throw error;
  }
}

async function bringUp(options: HostOptions, takeDown: TakeDown): Promise<RunningHost> {
  const { appDirectory, settings, environment, log } = options;
  const hostJson = readHostJson(appDirectory, environment);
  const tls = settings.tls === undefined ? undefined : readTlsFiles(settings.tls);
  const scheme = tls === undefined ? 'http' : 'https';

  const database = openHostDatabase(settings.dataDirectory);
  takeDown.push(() => database.close());
  const frontend = new HttpFrontend(scheme);
  const port = await frontend.listen({ port: settings.port, address: settings.address, tls });
  takeDown.push(() => frontend.stop(0));
  announcePort(port);
  const url = `${scheme}://localhost:${port}`;

  const worker = await startWorker(appDirectory, log);
  takeDown.push(() => within(terminateHooksMs, worker.terminate()));
  warnAboutUnserved(worker.functions, log);
  const router = createRouter(worker.functions, hostJson.routePrefix);

  const durable = needsDurableEngine(worker.functions)
    ? await createDurablePart({ settings, hostJson, origin: url, log })
    : undefined;
  takeDown.push(() => durable?.close());
  const extraInputs = createExtraInputs(durable);
  const timers = createTimers(options, worker, extraInputs, database.timers);
  takeDown.push((remainingMs) => within(remainingMs, stopAll(timers)));
  if (durable !== undefined) {
    takeDown.push((remainingMs) => durable.engine.stop(remainingMs));
    await startEngine(durable, createFunctionCaller(worker, extraInputs));
  }

  frontend.open({
    router,
    keys: createAccessKeys(settings.functionKeys, settings.masterKey),
    streamPort: worker.streamPort,
    showCalls: settings.showCalls,
    parts: {
      invoker: worker.invoker,
      log,
      maxBodyBytes: settings.maxBodyBytes,
      extraInputs,
      headers: answerHeaders(hostJson, scheme),
    },
    serveOwn(request, response, target) {
      if (!`${target.pathname}/`.startsWith(`${webhookPath}/`)) return false;
      void serveWebhook(durable, request, response, target);
      return true;
    },
  });
  for (const timer of timers) timer.start();
  takeDown.push((remainingMs) => frontend.stop(Math.min(remainingMs, answerGraceMs)));
  return { port, url, stop: () => takeDown.run(settings.shutdownMs) };
}

function readHostJson(appDirectory: string, environment: Environment): HostJson {
  let text = '{ "version": "2.0" }';
  try {
    text = readFileSync(join(appDirectory, 'host.json'), 'utf8');
  } catch {
    // An app without one gets the defaults of the platform.
  }
  return parseHostJson(text, environment);
}

function createExtraInputs(durable: DurablePart | undefined) {
  return (fn: RegisteredFunction): readonly NamedData[] => {
    if (durable === undefined) return [];
    const names = durableClientInputs(fn);
    if (names.length === 0) return [];
    const string = durable.engine.clientBinding();
    return names.map((name) => ({ name, data: { string } }));
  };
}

function createTimers(
  { environment, log }: HostOptions,
  { functions, invoker }: Worker,
  extraInputs: (fn: RegisteredFunction) => readonly NamedData[],
  states: ReturnType<typeof openHostDatabase>['timers'],
): readonly TimerRunner[] {
  const byName = new Map(functions.map((fn) => [fn.name, fn]));
  return readTimerFunctions(functions, environment).map(
    (timer) =>
      new TimerRunner(timer, {
        clock: systemAlarmClock,
        states,
        log,
        async run(functionName, input) {
          const fn = byName.get(functionName);
          if (fn === undefined) return;
          const trigger = { name: fn.trigger.name, data: { json: JSON.stringify(input) } };
          await invoker.invoke(fn, { inputData: [trigger, ...extraInputs(fn)] });
        },
      }),
  );
}

async function stopAll(timers: readonly TimerRunner[]): Promise<void> {
  await Promise.all(timers.map((timer) => timer.stop()));
}

function answerHeaders(hostJson: HostJson, scheme: 'http' | 'https'): Record<string, string> {
  const { customHeaders, strictTransportSecurity } = hostJson;
  // Written in lower case, so that a header of the same name set by the function takes its place.
  const lowered = Object.entries(customHeaders).map(([name, value]) => [name.toLowerCase(), value]);
  const secure = scheme === 'https' && strictTransportSecurity !== undefined;
  return {
    ...Object.fromEntries(lowered),
    ...(secure ? { 'strict-transport-security': strictTransportSecurity } : {}),
  };
}
