/** Calls of the Caldera REST API, version 2: JSON in, JSON out, the key in the header KEY. */

import { Agent, request } from 'undici';
import { type EgressPolicy, guardedLookup, refusedAddress } from '../addressing/egress.ts';
import { networkReason } from '../powershell/network-reason.ts';
import { CalderaFailure } from './caldera-failure.ts';

export type CalderaServer = {
  /** Base address, without `/api/v2`. */
  readonly url: string;
  readonly apiKey: string;
};

export interface CalderaApi {
  /** The parsed body; undefined when there is none. Throws CalderaFailure, or the signal's reason. */
  call(method: CalderaMethod, path: string, signal: AbortSignal, body?: object): Promise<unknown>;
  close(): Promise<void>;
}

export type CalderaMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE';

const REQUEST_TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const EXCERPT = 500;

export type CalderaConnection = {
  readonly skipCertificateCheck: boolean;
  /** Where connections may go; anywhere by default. */
  readonly allows?: EgressPolicy;
};

export function createCalderaApi(server: CalderaServer, options: CalderaConnection): CalderaApi {
  const { agent, refused } = guardedAgent(new URL(server.url), options);
  const base = `${server.url.replace(/\/+$/, '')}/api/v2`;
  return {
    async call(method, path, signal, body) {
      if (refused !== undefined) throw unreachable(server.url, networkReason(refused), false);
      const answer = await send(agent, `${base}${path}`, method, server.apiKey, signal, body);
      if (answer.status === 401) throw new CalderaFailure('failed', 'Caldera refused the API key.');
      if (answer.status < 200 || answer.status > 299) {
        const text = `Caldera answered ${method} ${path} with HTTP ${answer.status}: ${reasonIn(answer.text)}`;
        throw new CalderaFailure('failed', text, answer.status >= 500);
      }
      return answer.text.trim() === '' ? undefined : parse(answer.text);
    },
    close: () => agent.destroy(),
  };
}

function guardedAgent(url: URL, { skipCertificateCheck, allows }: CalderaConnection) {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const lookup = allows === undefined ? {} : { lookup: guardedLookup(allows, port) };
  return {
    agent: new Agent({ connect: { rejectUnauthorized: !skipCertificateCheck, ...lookup } }),
    refused: allows && refusedAddress(allows, host, port),
  };
}

async function send(
  dispatcher: Agent,
  url: string,
  method: CalderaMethod,
  apiKey: string,
  signal: AbortSignal,
  body: object | undefined,
): Promise<{ status: number; text: string }> {
  const patience = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  try {
    const answer = await request(url, {
      dispatcher,
      method,
      headers: { KEY: apiKey, accept: 'application/json', 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.any([signal, patience]),
    });
    return { status: answer.statusCode, text: await readText(answer.body) };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof CalderaFailure) throw error;
    const reason = patience.aborted ? 'no answer in 30 s' : networkReason(error);
    throw unreachable(url, reason, true);
  }
}

function unreachable(url: string, reason: string, transient: boolean): CalderaFailure {
  const text = `Cannot reach Caldera at ${new URL(url).host}: ${reason}.`;
  return new CalderaFailure('failed', text, transient);
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) {
      throw new CalderaFailure('failed', 'Caldera answered more than 32 MiB.');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CalderaFailure('failed', 'Caldera answered something that is not JSON.');
  }
}

/** Caldera explains itself in `error`; a proxy in front of it does not. */
function reasonIn(text: string): string {
  const explained = /^\s*\{/.test(text)
    ? /"error"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]
    : undefined;
  return (explained ?? text).replace(/\s+/g, ' ').trim().slice(0, EXCERPT);
}
