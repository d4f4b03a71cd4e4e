/**
 * HTTP calls to systems that are told what happens here. A call that did not arrive, or met a server in
 * trouble (429, 5xx), is made again after a while; any other refusal stands.
 */

import { setTimeout as pause } from 'node:timers/promises';
import type { ConnectionOptions } from '../capabilities/http-api/connector.ts';
import {
  createHttpExchange,
  type HttpAnswer,
  type HttpRequest,
  isSuccess,
} from '../capabilities/http-api/http-exchange.ts';
import { endpointOf, networkReason } from '../capabilities/http-api/network-failure.ts';

/** Made for every attempt anew: a signature holds the time it was made at. */
export type CallMaker = () => HttpRequest;

export type PatientCallsOptions = Pick<ConnectionOptions, 'skipCertificateCheck' | 'allows'> & {
  /** The first one included. Default 8: about a minute. */
  readonly attempts?: number;
  /** Of one attempt. Default 10,000. */
  readonly timeoutMs?: number;
  /** Rejects when the signal is aborted. */
  readonly sleep?: (forMs: number, signal: AbortSignal) => Promise<unknown>;
};

export interface PatientCalls {
  /** Answers the body of a 2xx. Rejects with CallFailed, or with the signal's reason. */
  call(make: CallMaker, signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

/** In words fit for a log: no credentials, no query. */
export class CallFailed extends Error {
  /** The other side understood and said no: another call may well succeed. */
  readonly refused: boolean;

  constructor(message: string, refused: boolean) {
    super(message);
    this.name = 'CallFailed';
    this.refused = refused;
  }
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
const MAX_ANSWER_BYTES = 1_048_576;
const EXCERPT = 300;

export function createPatientCalls(options: PatientCallsOptions): PatientCalls {
  const { attempts = 8, timeoutMs = 10_000, sleep = sleepFor, ...connection } = options;
  const http = createHttpExchange({ ...connection, connectTimeoutMs: timeoutMs });

  async function attempt(request: HttpRequest, signal: AbortSignal): Promise<Attempt> {
    const where = `${request.method} ${endpointOf(request.url)}${request.url.pathname}`;
    const patience = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await http.send(
        request,
        MAX_ANSWER_BYTES,
        AbortSignal.any([signal, patience]),
      );
      return judged(where, answer);
    } catch (error) {
      signal.throwIfAborted();
      const reason = patience.aborted ? 'no answer in time' : networkReason(error);
      const problem = new CallFailed(`${where} failed: ${reason}`, false);
      return { problem, again: codeOfDenial(error) === undefined };
    }
  }

  return {
    async call(make, signal) {
      for (let made = 1; ; made += 1) {
        signal.throwIfAborted();
        const outcome = await attempt(make(), signal);
        if ('body' in outcome) return outcome.body;
        if (!outcome.again || made >= attempts) throw outcome.problem;
        const backOffMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (made - 1));
        await sleep(Math.max(backOffMs, outcome.afterMs ?? 0), signal);
      }
    },
    close: () => http.close(),
  };
}

type Attempt =
  | { readonly body: string }
  | { readonly problem: CallFailed; readonly again: boolean; readonly afterMs?: number };

function judged(where: string, { status, headers, body }: HttpAnswer): Attempt {
  const text = body.bytes.toString('utf8');
  if (isSuccess(status)) return { body: text };
  const excerpt = text.replace(/\s+/g, ' ').trim().slice(0, EXCERPT);
  const again = status === 429 || status >= 500;
  const problem = new CallFailed(`${where} answered HTTP ${status} ${excerpt}`.trim(), !again);
  const afterMs = Math.min(LONGEST_WAIT_MS, Number(headers['retry-after'] ?? 0) * 1_000);
  return { problem, again, ...(afterMs > 0 ? { afterMs } : {}) };
}

/** The policy will not change its mind. */
function codeOfDenial(error: unknown): 'EGRESS_DENIED' | undefined {
  const isDenial = error instanceof Error && 'code' in error && error.code === 'EGRESS_DENIED';
  return isDenial ? 'EGRESS_DENIED' : undefined;
}

async function sleepFor(forMs: number, signal: AbortSignal): Promise<void> {
  await pause(forMs, undefined, { signal });
}
