/** Opens one ssh connection to one address: reach it, make sure it is the right host, log in. */

import { connect, type LookupFunction, type Socket } from 'node:net';
import type { Client, ClientErrorExtensions, ConnectConfig, ServerHostKeyAlgorithm } from 'ssh2';
import { type EgressPolicy, guardedLookup, refusedAddress } from '../addressing/egress.ts';
import type { HostKeys } from './host-keys.ts';
import { type LoginMethods, loginMethods } from './login-methods.ts';
import { quoteServer, type SshFailure } from './ssh-failure.ts';
import type { SshLogin } from './ssh-login.ts';

export type SshEndpoint = { readonly host: string; readonly port: number };

export type SshConnection = {
  readonly client: Client;
  readonly endpoint: SshEndpoint;
  isOpen(): boolean;
  close(): void;
};

export type SshConnectionAttempt =
  | { readonly ok: true; readonly connection: SshConnection }
  /** `elsewhere`: no ssh server answered, so another address of the same target may do. */
  | { readonly ok: false; readonly elsewhere: boolean; readonly failure: SshFailure };

export type SshConnectionOptions = {
  readonly hostKeys: HostKeys;
  /** For everything until the login is done. */
  readonly connectTimeoutMs: number;
  readonly allows: EgressPolicy;
  /** Resolves names in place of the system's resolver, and of `allows`. */
  readonly lookup?: LookupFunction | undefined;
};

/** After three of these without an answer a connection counts as lost. */
const keepAliveMs = 15_000;

/** `host:port`, as reports name a server. */
export function endpointName({ host, port }: SshEndpoint): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

export async function openSshConnection(
  endpoint: SshEndpoint,
  login: SshLogin,
  options: SshConnectionOptions,
  signal: AbortSignal,
): Promise<SshConnectionAttempt> {
  const { host, port } = endpoint;
  const { hostKeys, connectTimeoutMs } = options;
  // Loaded on first use: it takes as long as the rest of a cold start.
  const { Client } = (await import('ssh2')).default;
  const knownTypes = await hostKeys.knownTypes(host, port);
  const attempt = Promise.withResolvers<SshConnectionAttempt>();
  const client = new Client();
  const lookup = options.lookup ?? guardedLookup(options.allows, port);
  const socket = connect({ host, port, noDelay: true, lookup });
  let greeted = false;
  let hostKey: Buffer | undefined;

  const fail = (failure: SshFailure): void => {
    attempt.resolve({ ok: false, elsewhere: !greeted, failure });
    socket.destroy();
  };
  const failTo = (act: string, reason: string): void =>
    fail({ status: 'failed', reason: `Cannot ${act} ${endpointName(endpoint)}: ${reason}.` });

  const methods = loginMethods(login, async () => {
    const distrust = hostKey && (await hostKeys.remember(host, port, hostKey));
    if (distrust !== undefined) fail(distrust);
    return distrust === undefined;
  });

  // Stays for the life of the connection: what breaks later is noticed by the command that runs then.
  client.on('error', (error) => failTo(...describeError(error, methods)));
  client.once('change password', () =>
    failTo('log in at', 'the password has expired and must be changed'),
  );
  client.once('close', () => failTo('connect to', 'the server closed the connection'));
  client.once('ready', () =>
    attempt.resolve({ ok: true, connection: connectionOf(client, socket, endpoint) }),
  );

  if (refusedAddress(options.allows, host, port) !== undefined) failTo('connect to', notAllowed);
  const stopWaiting = waitAtMost(connectTimeoutMs, signal, (reason) =>
    failTo('connect to', reason),
  );
  client.connect({
    ...settings(socket, knownTypes),
    username: login.username,
    authHandler: methods.handler,
    hostVerifier: (key: Buffer, accept: (trusted: boolean) => void) => {
      greeted = true;
      void hostKeys.judge(host, port, key).then((distrust) => {
        hostKey = key;
        if (distrust !== undefined) fail(distrust);
        accept(distrust === undefined);
      });
    },
  });

  return attempt.promise.finally(stopWaiting);
}

function waitAtMost(
  timeMs: number,
  signal: AbortSignal,
  onEnd: (reason: string) => void,
): () => void {
  const timer = setTimeout(onEnd, timeMs, `no answer within ${timeMs} ms`);
  const giveUp = (): void => onEnd('given up');
  signal.addEventListener('abort', giveUp);
  if (signal.aborted) giveUp();
  return () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  };
}

function settings(socket: Socket, knownTypes: readonly string[]): ConnectConfig {
  const known = hostKeyAlgorithms.filter((algorithm) => knownTypes.includes(typeOf(algorithm)));
  const others = hostKeyAlgorithms.filter((algorithm) => !known.includes(algorithm));
  return {
    sock: socket,
    ident: 'theobroma',
    readyTimeout: 0,
    keepaliveInterval: keepAliveMs,
    ...(known.length === 0 ? {} : { algorithms: { serverHostKey: [...known, ...others] } }),
  };
}

/** Best first; the order of the library, which cannot be asked for it. */
const hostKeyAlgorithms: readonly ServerHostKeyAlgorithm[] = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
  'ssh-rsa',
];

/** RSA keys are of one type, whatever they sign with (RFC 8332). */
function typeOf(algorithm: ServerHostKeyAlgorithm): string {
  return algorithm.startsWith('rsa-sha2-') ? 'ssh-rsa' : algorithm;
}

function connectionOf(client: Client, socket: Socket, endpoint: SshEndpoint): SshConnection {
  return {
    client,
    endpoint,
    isOpen: () => socket.writable,
    close: () => {
      client.end();
      socket.destroySoon();
    },
  };
}

function describeError(
  error: Error & ClientErrorExtensions,
  methods: LoginMethods,
): [act: string, reason: string] {
  if (error.level === 'client-authentication') return ['log in at', methods.refusal()];
  const code = 'code' in error ? String(error.code) : '';
  return ['connect to', socketErrors[code] ?? quoteServer(error.message)];
}

const notAllowed = 'connections to it are not allowed';

const socketErrors: { readonly [code: string]: string } = {
  ECONNREFUSED: 'the connection was refused (ECONNREFUSED)',
  ECONNRESET: 'the connection was reset (ECONNRESET)',
  EGRESS_DENIED: notAllowed,
  EHOSTUNREACH: 'there is no way to the host (EHOSTUNREACH)',
  ENETUNREACH: 'there is no way to the network (ENETUNREACH)',
  ENOTFOUND: 'the name is not known (ENOTFOUND)',
  EAI_AGAIN: 'the name cannot be resolved now (EAI_AGAIN)',
  ETIMEDOUT: 'the host does not answer (ETIMEDOUT)',
};
