/** How the broker is reached, from the configuration. */

import { readFile } from 'node:fs/promises';
import type { IClientOptions } from 'mqtt';
import type { FinConfig } from '../../core/config/config.ts';

export type Session = {
  readonly clientId: string;
  /** The broker keeps subscriptions and messages while the client is away. */
  readonly kept: boolean;
};

const KEEP_ALIVE_SECONDS = 30;
const CONNECT_TIMEOUT_MS = 10_000;
/** The longest that all brokers people use allow. */
const SESSION_EXPIRY_SECONDS = 8 * 3_600;

/** Rejects when the file of trusted certificates cannot be read. */
export async function mqttOptions(config: FinConfig): Promise<IClientOptions> {
  const ca = config.tls?.caFile === undefined ? undefined : await readFile(config.tls.caFile);
  return {
    protocol: config.tls === undefined ? 'mqtt' : 'mqtts',
    host: config.broker,
    port: config.port,
    protocolVersion: config.version === '5' ? 5 : 4,
    ...config.credentials,
    ...(ca === undefined ? {} : { ca }),
    keepalive: KEEP_ALIVE_SECONDS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // Every attempt is a client of its own, so that nothing is ever sent a second time.
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
  };
}

export function withSession(options: IClientOptions, session: Session): IClientOptions {
  const isV5 = options.protocolVersion === 5;
  return {
    ...options,
    clientId: session.clientId,
    clean: !session.kept,
    ...(isV5 && session.kept
      ? { properties: { sessionExpiryInterval: SESSION_EXPIRY_SECONDS } }
      : {}),
  };
}
