/** One request for a function, with everything the ways of answering it need. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../../../core/ports/log.ts';
import type { ExtraInputs } from '../worker/extra-inputs.ts';
import type { RegisteredFunction } from '../worker/function-registry.ts';
import type { Invoker } from '../worker/invoke.ts';
import type { RouteValues } from './match-route.ts';

export type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly fn: RegisteredFunction;
  readonly values: RouteValues;
  /** `METHOD /path` for error answers, or undefined when they must not repeat it. */
  readonly call: string | undefined;
};

export type ExchangeParts = {
  readonly invoker: Invoker;
  readonly log: Log;
  readonly maxBodyBytes: number;
  /** Values of the function's inputs besides its trigger. */
  readonly extraInputs: ExtraInputs;
  /** Set on every answer of a function unless the function sets them itself. */
  readonly headers: Readonly<Record<string, string>>;
};

/** A function that throws is answered 500 without a body: what it threw is for the log only. */
export function answerFailure(exchange: Exchange, parts: ExchangeParts, thrown: unknown): void {
  const { fn, response } = exchange;
  parts.log.error('function.failed', { function: fn.name, error: thrown });
  if (response.headersSent) response.destroy();
  else response.writeHead(500, { ...parts.headers, 'content-length': 0 }).end();
}

/** A function that answers nothing is answered 204. */
export function answerNothing({ response }: Exchange, parts: ExchangeParts): void {
  response.writeHead(204, { ...parts.headers }).end();
}
