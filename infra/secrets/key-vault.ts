/**
 * Reads secrets from an Azure Key Vault over its REST API. A value is kept for a minute, so that a loop
 * does not ask for every turn and a rotated secret is seen soon; a refusal is not kept at all.
 */

import type { Clock } from '../../core/ports/clock.ts';
import type { SecretReading } from '../../core/ports/secret-vault.ts';
import {
  createHttpExchange,
  type HttpAnswer,
  isSuccess,
} from '../capabilities/http-api/http-exchange.ts';
import { networkReason } from '../capabilities/http-api/network-failure.ts';
import type { TokenSource } from '../capabilities/oauth2/token-source.ts';

export type KeyVaultOptions = {
  /** Without trailing slash. */
  readonly url: string;
  readonly tokens: TokenSource;
  readonly clock: Clock;
  /** Accept any TLS certificate of the vault; for tests on the loopback. */
  readonly skipCertificateCheck?: boolean;
};

export type WantedSecret = { readonly secret: string; readonly version: string | undefined };

export interface KeyVault {
  /** Rejects only with the signal's reason. */
  read(wanted: WantedSecret, signal: AbortSignal): Promise<SecretReading>;
  /** What it was when it was read last, however long ago. */
  lastRead(wanted: WantedSecret): string | undefined;
}

const API_VERSION = '7.4';
const KEPT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 256 * 1_024;

export function createKeyVault(options: KeyVaultOptions): KeyVault {
  const { clock } = options;
  const kept = new Map<string, { readonly value: string; readonly untilMs: number }>();
  return {
    async read(wanted, signal) {
      const path = pathOf(wanted);
      const known = kept.get(path);
      if (known !== undefined && clock.now() < known.untilMs)
        return { ok: true, value: known.value };
      const reading = await ask(options, wanted.secret, path, signal);
      if (reading.ok) kept.set(path, { value: reading.value, untilMs: clock.now() + KEPT_MS });
      return reading;
    },
    lastRead: (wanted) => kept.get(pathOf(wanted))?.value,
  };
}

function pathOf({ secret, version }: WantedSecret): string {
  return version === undefined ? secret : `${secret}/${version}`;
}

/** `https://soc.vault.azure.net` belongs to the resource `https://vault.azure.net`, in every cloud. */
export function vaultResource(vaultUrl: string): string {
  const [, ...domain] = new URL(vaultUrl).hostname.split('.');
  return `https://${domain.join('.')}`;
}

async function ask(
  { url, tokens, skipCertificateCheck = false }: KeyVaultOptions,
  secret: string,
  path: string,
  signal: AbortSignal,
): Promise<SecretReading> {
  const grant = { kind: 'managed-identity', resource: vaultResource(url) } as const;
  const token = await tokens.acquire(grant, signal);
  if (!token.ok) return failed(`The key vault cannot be used: ${token.reason}`);
  const http = createHttpExchange({ skipCertificateCheck, connectTimeoutMs: CONNECT_TIMEOUT_MS });
  const request = {
    url: new URL(`${url}/secrets/${path}?api-version=${API_VERSION}`),
    method: 'GET',
    headers: [
      ['Authorization', `Bearer ${token.token}`],
      ['Accept', 'application/json'],
    ] as const,
  };
  try {
    return readAnswer(secret, await http.send(request, MAX_ANSWER_BYTES, signal));
  } catch (error) {
    if (signal.aborted) throw error;
    return failed(`The key vault cannot be reached: ${networkReason(error)}.`);
  } finally {
    await http.close();
  }
}

function readAnswer(secret: string, { status, body }: HttpAnswer): SecretReading {
  if (status === 404) {
    const error = `There is no secret ${secret} in the key vault.`;
    return { ok: false, status: 'client_side_error', error };
  }
  if (status === 401 || status === 403) {
    return failed(`The key vault does not let this service read the secret ${secret}.`);
  }
  if (!isSuccess(status)) return failed(`The key vault answered HTTP ${status}.`);
  const value = valueIn(body.bytes.toString('utf8'));
  return value === undefined
    ? failed('The key vault answered something that is no secret.')
    : { ok: true, value };
}

function valueIn(text: string): string | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    const hasValue = typeof answer === 'object' && answer !== null && 'value' in answer;
    return hasValue && typeof answer.value === 'string' ? answer.value : undefined;
  } catch {
    return undefined;
  }
}

function failed(error: string): SecretReading {
  return { ok: false, status: 'failed', error };
}
