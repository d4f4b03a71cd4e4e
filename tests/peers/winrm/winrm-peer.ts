/**
 * A WinRM listener for tests: HTTP or HTTPS, logins by Basic and NTLM, sealed messages over plain HTTP, and
 * the remote shell of `shell-service.ts` behind it. It starts nothing: what a command does is scripted.
 */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { channelBindingOf } from '../../../infra/capabilities/powershell/ntlm/channel-binding.ts';
import type { SessionSecurity } from '../../../infra/capabilities/powershell/ntlm/session-security.ts';
import {
  isSealed,
  openBody,
  SEALED_CONTENT_TYPE,
  sealBody,
} from '../../../infra/capabilities/powershell/wsman/sealed-body.ts';
import { certificate, privateKey } from './certificate.ts';
import { createNtlmServer, type NtlmServer } from './ntlm-server.ts';
import {
  type Behaviour,
  createShellService,
  type ShellService,
  type Started,
} from './shell-service.ts';

export type WinRmPeerOptions = {
  readonly run: (started: Started) => Behaviour;
  readonly schemes: readonly ('Negotiate' | 'NTLM' | 'Basic')[];
  /** Passwords by account name. */
  readonly accounts?: { readonly [user: string]: string };
  readonly tls?: boolean;
  /** Take messages over plain HTTP that are not sealed. */
  readonly allowUnencrypted?: boolean;
  /** Close every connection after this many answers to logged-in requests. */
  readonly answersPerConnection?: number;
  /** Answers in place of the service, when it returns something; the requests are logged in. */
  readonly interfere?: (
    index: number,
  ) => { status: number; contentType: string; body: string } | undefined;
};

export type WinRmPeer = {
  readonly port: number;
  readonly service: ShellService;
  /** Why logins were refused, and how each request that got through was protected. */
  readonly refusals: string[];
  readonly protections: ('sealed' | 'plain')[];
  stop(): Promise<void>;
};

type Login = { server?: NtlmServer; user?: string; security?: SessionSecurity; answers: number };

export const defaultAccounts = { operator: 'correct horse 1' };

export async function startWinRmPeer(options: WinRmPeerOptions): Promise<WinRmPeer> {
  const service = createShellService(options.run);
  const accounts: { readonly [user: string]: string } = options.accounts ?? defaultAccounts;
  const logins = new WeakMap<Socket, Login>();
  const refusals: string[] = [];
  const protections: ('sealed' | 'plain')[] = [];
  let requests = 0;

  function authorise(request: IncomingMessage, login: Login): { challenge?: string; ok: boolean } {
    const [scheme = '', token = ''] = (request.headers.authorization ?? '').split(' ');
    if (!options.schemes.some((offered) => offered === scheme))
      return { ok: login.user !== undefined };
    const bytes = Buffer.from(token, 'base64');
    if (scheme === 'Basic') {
      const [user = '', ...password] = bytes.toString('utf8').split(':');
      const ok = accounts[user] === password.join(':');
      if (!ok) refusals.push('wrong password');
      return { ok };
    }
    if (bytes.readUInt32LE(8) === 1) {
      const binding = options.tls === true ? bindingOfPeer() : undefined;
      login.server = createNtlmServer({
        passwordOf: (user) => accounts[user],
        channelBinding: binding,
      });
      delete login.user;
      return {
        ok: false,
        challenge: `${scheme} ${login.server.challenge(bytes).toString('base64')}`,
      };
    }
    const verdict = login.server?.judge(bytes) ?? { refused: 'no challenge was sent' };
    delete login.server;
    if ('refused' in verdict) {
      refusals.push(verdict.refused);
      return { ok: false };
    }
    Object.assign(login, verdict);
    return { ok: true };
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const login = logins.get(request.socket) ?? { answers: 0 };
    logins.set(request.socket, login);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { ok, challenge } = authorise(request, login);
    if (!ok) {
      response.writeHead(401, { 'www-authenticate': challenge ?? [...options.schemes] }).end();
      return;
    }
    const answer = await answerTo(request, body, login, response);
    login.answers += 1;
    if (login.answers === options.answersPerConnection) response.setHeader('connection', 'close');
    response.writeHead(answer.status, { 'content-type': answer.contentType }).end(answer.body);
  }

  async function answerTo(
    request: IncomingMessage,
    body: Buffer,
    login: Login,
    response: ServerResponse,
  ) {
    const nothing = { status: 200, contentType: 'text/plain', body: Buffer.alloc(0) };
    if (request.method !== 'POST' || request.url !== '/wsman') return { ...nothing, status: 404 };
    if (body.length === 0) return nothing;
    const interference = options.interfere?.(requests);
    requests += 1;
    if (interference !== undefined) return interference;
    const contentType = request.headers['content-type'] ?? '';
    const security = isSealed(contentType) ? login.security : undefined;
    const plain = /^application\/soap\+xml; ?charset=utf-8$/i.test(contentType);
    if (security === undefined && !plain) return { ...nothing, status: 415 };
    if (security === undefined && options.tls !== true && options.allowUnencrypted !== true) {
      refusals.push('not sealed');
      return { ...nothing, status: 401 };
    }
    const xml = security === undefined ? body : openBody(security, body);
    if (xml === undefined) return { ...nothing, status: 400 };
    protections.push(security === undefined ? 'plain' : 'sealed');
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const reply = await service.handle(xml.toString('utf8'), gone.signal);
    const text = Buffer.from(reply.xml, 'utf8');
    return security === undefined
      ? { status: reply.status, contentType: 'application/soap+xml;charset=UTF-8', body: text }
      : { status: reply.status, contentType: SEALED_CONTENT_TYPE, body: sealBody(security, text) };
  }

  const handler = (request: IncomingMessage, response: ServerResponse) => {
    serve(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  };
  const server =
    options.tls === true
      ? createTlsServer({ cert: certificate, key: privateKey }, handler)
      : createServer(handler);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    service,
    refusals,
    protections,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function bindingOfPeer(): Buffer | undefined {
  const der = certificate.replace(/-----[^-]+-----|\s/g, '');
  return channelBindingOf(Buffer.from(der, 'base64'));
}
