/** Turns authentication information into the header that carries it. */

import type { AuthenticationInfo } from '../../../core/cacao/playbook.ts';
import type { FailureStatus } from '../../../core/execution/run.ts';
import { readTokenGrant, type TokenGrant } from '../oauth2/token-grant.ts';
import type { TokenSource } from '../oauth2/token-source.ts';
import { asHeaderBytes, isHeaderValue } from './request-headers.ts';

export type Credential = {
  readonly name: string;
  readonly value: string;
  /** What must not be shown if the target sends it back. */
  readonly secret: string;
  /** How the token was acquired, when it was not in the playbook. */
  readonly grant?: TokenGrant;
};

export type CredentialReading =
  | { readonly ok: true; readonly credential: Credential | undefined }
  | { readonly ok: false; readonly status: FailureStatus; readonly reason: string };

/** A blank type means no authentication. Rejects only with the signal's reason. */
export async function readCredential(
  info: AuthenticationInfo | undefined,
  tokens: TokenSource | undefined,
  signal: AbortSignal,
): Promise<CredentialReading> {
  const { type = '' } = info ?? {};
  if (info === undefined || type === '') return { ok: true, credential: undefined };
  if (type === 'http-basic') return basic(info.user_id || info.username || '', info.password ?? '');
  if (type === 'user-auth') return basic(info.username || info.user_id || '', info.password ?? '');
  if (type === 'oauth2') return bearer(info, tokens, signal);
  return unusable(`The authentication type ${type} is not supported.`);
}

/** RFC 7617, with the user name and password in UTF-8. */
export function basic(user: string, password: string): CredentialReading {
  if (user === '') return unusable('The user name of the authentication is empty.');
  if (user.includes(':')) return unusable('The user name of the authentication holds a colon.');
  const secret = Buffer.from(`${user}:${password}`, 'utf8').toString('base64');
  return { ok: true, credential: { name: 'Authorization', value: `Basic ${secret}`, secret } };
}

async function bearer(
  info: AuthenticationInfo,
  tokens: TokenSource | undefined,
  signal: AbortSignal,
): Promise<CredentialReading> {
  const given = info.token?.trim() ?? '';
  if (given !== '') return carry(info.oauth_header, given);
  const reading = readTokenGrant(info);
  if (!reading.ok) return unusable(reading.reason);
  const { grant } = reading;
  if (grant === undefined) return unusable('The token of the oauth2 authentication is empty.');
  if (tokens === undefined) return unusable('This service does not acquire oauth2 tokens.');
  const acquired = await tokens.acquire(grant, signal);
  return acquired.ok ? carry(info.oauth_header, acquired.token, grant) : acquired;
}

/**
 * `oauth_header` names the header only where it cannot mean anything else: "X-Auth-Token" (the bare token)
 * or "X-Auth: Bearer" (with a scheme). Whatever else stands there, RFC 6750 holds.
 */
function carry(oauthHeader = '', token: string, grant?: TokenGrant): CredentialReading {
  if (!isHeaderValue(token)) {
    return unusable('The token of the oauth2 authentication holds a line break.');
  }
  const secret = asHeaderBytes(token);
  const named = /^([a-z0-9_]+(?:-[a-z0-9_]+)*) *: *([!-~]*)$/i.exec(oauthHeader.trim());
  const bare = /^[a-z0-9_]+(?:-[a-z0-9_]+)+$/i.test(oauthHeader.trim());
  const name = named?.[1] ?? (bare ? oauthHeader.trim() : 'Authorization');
  const scheme = named?.[2] ?? (bare ? '' : 'Bearer');
  const value = [scheme, secret].filter((part) => part !== '').join(' ');
  const origin = grant === undefined ? {} : { grant };
  return { ok: true, credential: { name, value, secret, ...origin } };
}

function unusable(reason: string): CredentialReading {
  return { ok: false, status: 'client_side_error', reason };
}
