/**
 * Starts the embedded Functions host: one process that loads the app and serves its HTTP, timer and
 * durable functions.
 *
 * H1  What can be refused is refused before the app runs: settings, certificate, port, data directory.
 * H2  The app knows its port before it loads; a request that comes earlier waits until all is ready.
 * H3  A start that fails, and a stop, take down what is up in reverse order.
 */

import type { Log } from '../../core/ports/log.ts';
import { createDurablePart, type DurablePart, durableInputs, startEngine } from './durable-part.ts';
import { createFunctionCaller } from './function-caller.ts';
import { openHostDatabase } from './host-database.ts';
import { createAccessKeys } from './http/access-keys.ts';
import { isWebhook, serveWebhook } from './http/durable-endpoint.ts';
import { HttpFrontend } from './http/http-frontend.ts';
import { createRouter } from './http/router.ts';
import { readTlsFiles, type TlsFiles, watchTlsFiles } from './http/tls-files.ts';
import { messageOf } from './message-of.ts';
import { needsDurableEngine, warnAboutUnserved } from './served-triggers.ts';
import { announcePort, type Environment } from './settings/environment.ts';
import { type HostJson, readHostJson } from './settings/host-json.ts';
import type { HostSettings } from './settings/host-settings.ts';
import { TakeDown, within } from './take-down.ts';
import { createTimers } from './timer/create-timers.ts';
import type { TimerRunner } from './timer/timer-runner.ts';
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

/** A renewed certificate is served without a restart. Answers how to stop looking. */
function followTlsFiles(files: TlsFiles, frontend: HttpFrontend, log: Log): () => void {
  return watchTlsFiles(
    files,
    (renewed) => {
      frontend.renew(renewed);
      log.info('tls.renewed', { certificate: files.certFile });
    },
    (problem) => log.warning('tls.not_renewed', { problem: messageOf(problem) }),
  );
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
  if (settings.tls !== undefined) takeDown.push(followTlsFiles(settings.tls, frontend, log));
  announcePort(port);
  const url = `${scheme}://localhost:${port}`;

  const worker = await startWorker(appDirectory, log);
  takeDown.push(() => within(terminateHooksMs, worker.terminate()));
  warnAboutUnserved(worker.functions, log);
  const router = createRouter(worker.functions, hostJson.routePrefix);
  const durable = await bringUpDurable(options, takeDown, { worker, hostJson, url });
  const extraInputs = durableInputs(durable);
  const timers = createTimers({ worker, extraInputs, environment, states: database.timers, log });
  if (durable !== undefined) await startEngine(durable, createFunctionCaller(worker, extraInputs));

  const { invoker, streamPort } = worker;
  const { maxBodyBytes, showCalls, functionKeys, masterKey } = settings;
  const headers = answerHeaders(hostJson, scheme);
  frontend.open({
    router,
    keys: createAccessKeys(functionKeys, masterKey),
    streamPort,
    showCalls,
    parts: { invoker, log, maxBodyBytes, extraInputs, headers },
    serveOwn(request, response, target) {
      if (!isWebhook(target)) return false;
      void serveWebhook(durable, request, response, target);
      return true;
    },
  });
  for (const timer of timers) timer.start();
  takeDown.push((remainingMs) => within(remainingMs, stopAll(timers)));
  takeDown.push((remainingMs) => frontend.stop(Math.min(remainingMs, answerGraceMs)));
  return { port, url, stop: () => takeDown.run(settings.shutdownMs) };
}

async function bringUpDurable(
  { settings, log }: HostOptions,
  takeDown: TakeDown,
  app: { readonly worker: Worker; readonly hostJson: HostJson; readonly url: string },
): Promise<DurablePart | undefined> {
  if (!needsDurableEngine(app.worker.functions)) return undefined;
  const { hostJson, url: origin } = app;
  const durable = await createDurablePart({ settings, hostJson, origin, log });
  takeDown.push(() => durable.close());
  takeDown.push((remainingMs) => durable.engine.stop(remainingMs));
  return durable;
}

async function stopAll(timers: readonly TimerRunner[]): Promise<void> {
  await Promise.all(timers.map((timer) => timer.stop()));
}

function answerHeaders(
  { customHeaders, strictTransportSecurity }: HostJson,
  scheme: 'http' | 'https',
): Readonly<Record<string, string>> {
  if (scheme === 'http' || strictTransportSecurity === undefined) return customHeaders;
  return { ...customHeaders, 'strict-transport-security': strictTransportSecurity };
}
