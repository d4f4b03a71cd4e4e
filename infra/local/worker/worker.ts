/**
 * The worker side of the embedded host: loads an app that uses `@azure/functions` exactly as the
 * Functions Node worker does, keeps what it registered, and runs it.
 *
 * W1  The library finds its host before any file of the app is loaded.
 * W2  Functions are registered while the app loads and never later.
 * W3  The library is asked for its capabilities once, after the app's start hooks.
 */

import type { Log } from '../../../core/ports/log.ts';
import { messageOf } from '../message-of.ts';
import { StartError } from '../start-error.ts';
import { answerCoreModule } from './answer-core-module.ts';
import {
  Disposable,
  type FunctionCallback,
  type FunctionLogLevel,
  type FunctionMetadata,
  type LogCategory,
  type ProgrammingModel,
  type WorkerCapabilities,
} from './core-types.ts';
import { FunctionRegistry, type RegisteredFunction } from './function-registry.ts';
import { type HookCallback, Hooks } from './hooks.ts';
import { Invoker } from './invoke.ts';
import { loadApp } from './load-app.ts';
import { createLoopbackServers } from './loopback-servers.ts';
import { refuseTestMode } from './refuse-test-mode.ts';
import { createWorkerLog } from './worker-log.ts';

export type Worker = {
  readonly functions: readonly RegisteredFunction[];
  readonly invoker: Invoker;
  /** Where the library receives HTTP requests in streaming mode; undefined in buffered mode. */
  readonly streamPort: number | undefined;
  /** Runs the app's terminate hooks, then lets another worker of this process answer the library. */
  terminate(): Promise<void>;
};

const hostVersion = '4.1044.0';

export async function startWorker(appDirectory: string, log: Log): Promise<Worker> {
  const hooks = new Hooks();
  const registry = new FunctionRegistry();
  const appHookData = {};
  const appScope = { hookData: {}, appHookData };
  const workerLog = createWorkerLog(hooks, log);
  let model: ProgrammingModel | undefined;

  const answer = answerCoreModule({
    version: '3.13.0',
    hostVersion,
    Disposable,
    registerFunction: (metadata: FunctionMetadata, callback: FunctionCallback) =>
      registry.register(metadata, callback),
    registerHook: (name: string, callback: HookCallback) => hooks.register(name, callback),
    setProgrammingModel: (chosen: ProgrammingModel) => {
      model = chosen;
    },
    getProgrammingModel: () => model,
    log: (level: FunctionLogLevel, category: LogCategory, message: string) =>
      workerLog.write(appScope, level, category, message),
  });

  try {
    await refuseTestMode(() => loadApp(appDirectory));
    await hooks.run('appStart', { ...appScope, functionAppDirectory: appDirectory });
    registry.close();
    const chosen = requireModel(model, registry);
    const capabilities = await createLoopbackServers(() => askCapabilities(chosen));
    return {
      functions: registry.all,
      invoker: new Invoker({ model: chosen, hooks, log: workerLog, appHookData }),
      streamPort: portOf(capabilities['HttpUri']),
      async terminate() {
        try {
          await hooks.run('appTerminate', appScope);
        } catch (thrown) {
          log.error('hook.terminate_failed', { message: messageOf(thrown) });
        }
        answer.dispose();
      },
    };
  } catch (thrown) {
    answer.dispose();
    throw thrown;
  }
}

function requireModel(model: ProgrammingModel | undefined, registry: FunctionRegistry) {
  if (model === undefined || registry.all.length === 0) {
    throw new StartError('The app registered no function through @azure/functions.');
  }
  return model;
}

async function askCapabilities(model: ProgrammingModel): Promise<WorkerCapabilities> {
  const offered = Object.fromEntries(defaultCapabilities.map((name) => [name, 'true']));
  return (await model.getCapabilities?.(offered)) ?? offered;
}

const defaultCapabilities = [
  'RawHttpBodyBytes',
  'RpcHttpTriggerMetadataRemoved',
  'RpcHttpBodyOnly',
  'IgnoreEmptyValuedRpcHttpHeaders',
  'UseNullableValueDictionaryForHttp',
  'WorkerStatus',
  'TypedDataCollection',
  'HandlesWorkerTerminateMessage',
];

function portOf(httpUri: string | undefined): number | undefined {
  return httpUri === undefined ? undefined : Number(new URL(httpUri).port);
}
