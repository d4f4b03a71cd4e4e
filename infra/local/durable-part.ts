/**
 * The durable engine as a part of the host: made only for apps that need it, loaded only then, and
 * reached by the app over a loopback listener of its own.
 */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Log } from '../../core/ports/log.ts';
import type { DurableHost, FunctionCaller } from './durable/durable-host.ts';
import { openRpcListener, webhookPath } from './http/durable-endpoint.ts';
import { durableClientInputs } from './served-triggers.ts';
import type { HostJson } from './settings/host-json.ts';
import type { HostSettings } from './settings/host-settings.ts';
import { StartError } from './start-error.ts';
import type { ExtraInputs } from './worker/extra-inputs.ts';

export type DurablePart = {
  readonly engine: DurableHost;
  /** What the management API on the public port asks for as `code`; new at every start. */
  readonly webhookCode: string;
  close(): void;
};

export type DurablePartOptions = {
  readonly settings: HostSettings;
  readonly hostJson: HostJson;
  /** Scheme, host name and port under which this machine reaches the public port. */
  readonly origin: string;
  readonly log: Log;
};

/** Opens no database yet; `startEngine` does. */
export async function createDurablePart(options: DurablePartOptions): Promise<DurablePart> {
  const { settings, hostJson, origin, log } = options;
  const { createDurableHost } = await import('./durable/create-durable-host.ts');
  const listener = await openRpcListener(() => engine);
  const webhookCode = randomBytes(24).toString('base64url');
  const { shuffleSeed, ...durable } = settings.durable;
  const { defaultVersion, ...limits } = hostJson.durable;
  const engine = createDurableHost(
    { rpcBaseUrl: listener.baseUrl, webhookBaseUrl: `${origin}${webhookPath}`, webhookCode },
    {
      ...durable,
      ...limits,
      databasePath: join(settings.dataDirectory, 'durable.db'),
      ...(shuffleSeed === undefined ? {} : { shuffleSeed }),
      ...(defaultVersion === undefined ? {} : { defaultVersion }),
    },
    { now: Date.now, log: log.child('durable') },
  );
  return { engine, webhookCode, close: () => listener.close() };
}

/** Gives functions that ask for a durable client what they need to make one. */
export function durableInputs(durable: DurablePart | undefined): ExtraInputs {
  return (fn) => {
    const names = durable === undefined ? [] : durableClientInputs(fn);
    const string = names.length === 0 ? '' : (durable?.engine.clientBinding() ?? '');
    return names.map((name) => ({ name, data: { string } }));
  };
}

/** Throws a StartError when another process has the database. */
export async function startEngine({ engine }: DurablePart, caller: FunctionCaller): Promise<void> {
  try {
    await engine.start(caller);
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    throw new StartError(`The durable engine cannot start: ${cause.message}`, { cause });
  }
}
