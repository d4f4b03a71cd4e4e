/**
 * The public port: HTTP or TLS, with limits on how slowly a request may arrive and none on how long
 * its answer may take (a trigger may wait for hours).
 */

import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { StartError } from '../start-error.ts';
import { rawErrorAnswer } from './error-answer.ts';
import type { TlsMaterial } from './tls-files.ts';

export type ListenOptions = {
  /** 0 takes a free port. */
  readonly port: number;
  readonly address: string | undefined;
  readonly tls: TlsMaterial | undefined;
};

export type PublicListener = {
  readonly server: Server;
  readonly port: number;
  /** New connections are served with this certificate; open ones keep theirs. */
  renew(material: TlsMaterial): void;
};

const limits = {
  headersTimeout: 20_000,
  /** Until the last byte of the request; 10 MiB at 35 KB/s. */
  requestTimeout: 300_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 65_000,
  // Finds out that a client which waits for an answer has gone without saying so.
  keepAlive: true,
  keepAliveInitialDelay: 30_000,
} as const;

/** Throws a StartError when the port is taken, not permitted, or the address is not this machine's. */
export async function listenPublicly(
  { port, address, tls }: ListenOptions,
  onRequest: RequestListener,
): Promise<PublicListener> {
  const secure = tls && createTlsServer({ ...limits, ...tls, minVersion: oldestTls }, onRequest);
  const server: Server = secure ?? createServer(limits, onRequest);
  // The handler decides whether a client that asks first may send its body.
  server.on('checkContinue', onRequest);
  server.on('clientError', answerClientError);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, port, address)));
    server.listen({ port, ...(address === undefined ? {} : { host: address }) }, resolve);
  });
  const bound = server.address();
  return {
    server,
    port: bound === null || typeof bound === 'string' ? port : bound.port,
    renew: (material) => secure?.setSecureContext({ ...material, minVersion: oldestTls }),
  };
}

const oldestTls = 'TLSv1.2';

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is in use; is another instance running?',
  EACCES: 'this user may not open it.',
  EADDRNOTAVAIL: 'this machine has no such address.',
  ENOTFOUND: 'there is no such address.',
};

function explain(error: Error, port: number, address: string | undefined): StartError {
  const code = 'code' in error ? String(error.code) : '';
  const place = address === undefined ? `port ${port}` : `port ${port} of ${address}`;
  return new StartError(`Cannot listen on ${place}: ${reasons[code] ?? error.message}`, {
    cause: error,
  });
}

function answerClientError(error: Error, socket: Duplex): void {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(rawErrorAnswer(refusals[String(code)] ?? malformed));
}

const malformed = { status: 400, message: 'The request is not valid HTTP.' };
const refusals: Readonly<Record<string, { status: number; message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers of the request are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time.' },
};
