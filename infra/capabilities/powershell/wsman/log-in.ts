/**
 * Logs in at a WinRM listener. The target names the ways to do it; NTLM is preferred, because Basic gives
 * the password away to whoever reads along.
 */

import { channelBindingOf } from '../ntlm/channel-binding.ts';
import { answerChallenge, ntlmNegotiate } from '../ntlm/login.ts';
import type { NtlmIdentity } from '../ntlm/ntlm-v2-response.ts';
import type { SessionSecurity } from '../ntlm/session-security.ts';
import { WinRmFailure } from '../winrm-failure.ts';
import type { HttpAnswer, HttpExchange } from './http-exchange.ts';

export type Credentials = { readonly username: string; readonly password: string };

export type LoginOptions = {
  readonly credentials: Credentials;
  /** Host and port, for messages. */
  readonly host: string;
  readonly random: (sizeBytes: number) => Uint8Array;
  readonly now: () => number;
};

export type Session =
  /** Sent along with every request. */
  | { readonly scheme: 'basic'; readonly authorization: string }
  /** Holds for the connection of this number only. */
  | { readonly scheme: 'ntlm'; readonly connection: number; readonly security: SessionSecurity };

type NtlmScheme = 'Negotiate' | 'NTLM';

const NOTHING = Buffer.alloc(0);

/** Throws WinRmFailure when there is no way to log in, or the credentials are refused. */
export async function logIn(
  http: HttpExchange,
  options: LoginOptions,
  signal: AbortSignal,
): Promise<Session> {
  const { host } = options;
  const negotiate = (scheme: NtlmScheme) =>
    http.post({ authorization: `${scheme} ${ntlmNegotiate.toString('base64')}` }, NOTHING, signal);
  const first = await negotiate('Negotiate');
  if (first.status !== 401) throw notWinRm(host, first);
  const token = readChallengeToken(first, 'Negotiate');
  if (token !== undefined) return proveNtlm(http, options, 'Negotiate', token, signal);
  if (offers(first, 'NTLM')) {
    const second = readChallengeToken(await negotiate('NTLM'), 'NTLM');
    if (second !== undefined) return proveNtlm(http, options, 'NTLM', second, signal);
  }
  if (offers(first, 'Basic')) return basicSession(options.credentials);
  throw new WinRmFailure('login', `${host} offers neither NTLM nor Basic to log in with.`);
}

export function refused(options: LoginOptions): WinRmFailure {
  return new WinRmFailure(
    'login',
    `${options.host} refused the login of ${options.credentials.username}.`,
  );
}

export function notWinRm(host: string, { status }: HttpAnswer): WinRmFailure {
  return new WinRmFailure('garbage', `${host} answered HTTP ${status}, not WinRM.`);
}

async function proveNtlm(
  http: HttpExchange,
  options: LoginOptions,
  scheme: NtlmScheme,
  token: string,
  signal: AbortSignal,
): Promise<Session> {
  const { credentials, host } = options;
  const connection = http.connection();
  const certificate = http.peerCertificate();
  const login = answerChallenge(Buffer.from(token, 'base64'), {
    identity: identityOf(credentials.username),
    password: credentials.password,
    channelBinding: certificate === undefined ? undefined : channelBindingOf(certificate),
    random: options.random,
    nowMs: options.now(),
  });
  if (login === undefined) {
    throw new WinRmFailure('login', `${host} offers no NTLM that is safe enough to use.`);
  }
  const authorization = `${scheme} ${login.message.toString('base64')}`;
  const answer = await http.post({ authorization }, NOTHING, signal);
  if (http.connection() !== connection) {
    throw new WinRmFailure('connection-lost', `${host} closed the connection during the login.`);
  }
  if (answer.status === 401) throw refused(options);
  return { scheme: 'ntlm', connection, security: login.security };
}

function basicSession({ username, password }: Credentials): Session {
  const account = Buffer.from(`${username}:${password}`, 'utf8').toString('base64');
  return { scheme: 'basic', authorization: `Basic ${account}` };
}

/** `DOMAIN\user` names its domain; `user@domain` and `user` stand alone. */
function identityOf(username: string): NtlmIdentity {
  const [domain = '', ...user] = username.split('\\');
  return user.length === 0 ? { domain: '', user: username } : { domain, user: user.join('\\') };
}

function offers(answer: HttpAnswer, scheme: string): boolean {
  return new RegExp(`(?:^|,)\\s*${scheme}(?=\\s|,|$)`, 'i').test(answer.challenges);
}

function readChallengeToken(answer: HttpAnswer, scheme: NtlmScheme): string | undefined {
  const pattern = new RegExp(`(?:^|,)\\s*${scheme}\\s+([A-Za-z0-9+/]+={0,2})\\s*(?:,|$)`, 'i');
  return answer.status === 401 ? pattern.exec(answer.challenges)?.[1] : undefined;
}
