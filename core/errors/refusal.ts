/**
 * How the service says no: thrown anywhere below an HTTP handler, answered there with the status of
 * its code and the general error object.
 */

import { catalogue, type RefusalArguments, type RefusalCode } from './catalogue.ts';
import type { Finding } from './finding.ts';

/** What an answer carries besides its status and sentence. */
export type RefusalExtra = {
  readonly findings?: readonly Finding[];
  /** Headers the status asks for, such as Allow, WWW-Authenticate or Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What a system behind the service said; must hold no secret. */
  readonly downstreamCall?: string;
};

/** A refusal of the catalogue. Decide by `code`; `message` is for people. `cause` is for the log. */
export class Refusal<Code extends RefusalCode = RefusalCode> extends Error {
  override readonly name = 'Refusal';
  readonly code: Code;
  readonly status: number;
  readonly args: RefusalArguments<Code>;
  #extra: RefusalExtra = {};

  /** Takes one argument for each brace of the code's sentence, in order. */
  constructor(code: Code, ...args: RefusalArguments<Code>) {
    super(fillIn(catalogue[code].message, args));
    this.code = code;
    this.status = catalogue[code].status;
    this.args = args;
  }

  get extra(): RefusalExtra {
    return this.#extra;
  }

  /** The same refusal, carrying more. */
  with(extra: RefusalExtra, cause: unknown = this.cause): Refusal<Code> {
    const copy = new Refusal(this.code, ...this.args);
    copy.#extra = { ...this.#extra, ...extra };
    if (cause !== undefined) copy.cause = cause;
    return copy;
  }
}

// Callers choose parts of ids and paths; an answer repeats only so much of them.
const longestArgument = 2000;

function fillIn(message: string, args: readonly (string | number)[]): string {
  let used = 0;
  return message.replace(/\{\w+\}/g, () => {
    const text = String(args[used++] ?? '');
    return text.length > longestArgument ? `${text.slice(0, longestArgument)}…` : text;
  });
}
