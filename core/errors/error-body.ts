/** The body of every answer that is not a success: the general error object of the contract. */

import type { Finding } from './finding.ts';
import type { Refusal } from './refusal.ts';

export type ErrorBody = {
  /** The HTTP status as text. */
  readonly status: string;
  readonly message: string;
  /** Method and path of the request, never its body: playbooks carry passwords. */
  readonly 'original-call'?: string;
  readonly 'downstream-call'?: string;
  readonly findings?: readonly Finding[];
};

/** Pass `originalCall` as `METHOD /path`, or undefined to keep it to ourselves (production). */
export function errorBody(refusal: Refusal, originalCall: string | undefined): ErrorBody {
  const { downstreamCall, findings } = refusal.extra;
  return {
    status: String(refusal.status),
    message: refusal.message,
    ...(originalCall === undefined ? {} : { 'original-call': originalCall }),
    ...(downstreamCall === undefined || downstreamCall === ''
      ? {}
      : { 'downstream-call': downstreamCall }),
    ...(findings === undefined ? {} : { findings }),
  };
}
