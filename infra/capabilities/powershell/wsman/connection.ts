/**
 * Carries envelopes to a WinRM listener.
 *
 * C1  Over plain HTTP an NTLM session seals every message and takes no unsealed answer for one.
 * C2  NTLM holds for one connection: after a reconnect the login is repeated before anything is resent.
 */

import { WinRmFailure } from '../winrm-failure.ts';
import {
  createHttpExchange,
  type HttpAnswer,
  type HttpExchange,
  type HttpExchangeOptions,
} from './http-exchange.ts';
import { type LoginOptions, logIn, notWinRm, refused, type Session } from './log-in.ts';
import { isSealed, openBody, SEALED_CONTENT_TYPE, sealBody } from './sealed-body.ts';

export type ConnectionOptions = HttpExchangeOptions & Omit<LoginOptions, 'host'>;

export interface WinRmConnection {
  /** Sends one envelope and answers the status and text of the reply. Throws WinRmFailure. */
  post(envelope: string, signal: AbortSignal): Promise<WinRmReply>;
  close(): Promise<void>;
}

export type WinRmReply = { readonly status: number; readonly text: string };

const SOAP = 'application/soap+xml;charset=UTF-8';

/** Logs in with the first envelope. */
export function createWinRmConnection(options: ConnectionOptions): WinRmConnection {
  const { host, protocol } = options.url;
  const http = createHttpExchange(options);
  const login = { ...options, host };
  const overTls = protocol === 'https:';
  let session: Session | undefined;
  return {
    async post(text, signal) {
      const envelope = Buffer.from(text, 'utf8');
      session ??= await logIn(http, login, signal);
      let answer = await send(http, session, overTls, envelope, signal);
      if (
        answer.status === 401 &&
        session.scheme === 'ntlm' &&
        session.connection !== http.connection()
      ) {
        session = await logIn(http, login, signal);
        answer = await send(http, session, overTls, envelope, signal);
      }
      if (answer.status === 401) throw refused(login);
      return { status: answer.status, text: read(session, overTls, answer, host) };
    },
    close: () => http.close(),
  };
}

function send(
  http: HttpExchange,
  session: Session,
  overTls: boolean,
  envelope: Buffer,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  if (session.scheme === 'basic') {
    const { authorization } = session;
    return http.post({ authorization, 'content-type': SOAP }, envelope, signal);
  }
  if (overTls) return http.post({ 'content-type': SOAP }, envelope, signal);
  const sealed = sealBody(session.security, envelope);
  return http.post({ 'content-type': SEALED_CONTENT_TYPE }, sealed, signal);
}

function read(session: Session, overTls: boolean, answer: HttpAnswer, host: string): string {
  if (session.scheme === 'basic' || overTls) return answer.body.toString('utf8');
  if (!isSealed(answer.contentType)) throw notWinRm(host, answer);
  const opened = openBody(session.security, answer.body);
  if (opened !== undefined) return opened.toString('utf8');
  throw new WinRmFailure('garbage', `An answer of ${host} was altered on its way.`);
}
