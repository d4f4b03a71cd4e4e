/** Answers of the host itself: the general error object, for requests that never reach the app. */

import { type ServerResponse, STATUS_CODES } from 'node:http';

export type HostRefusal = { readonly status: number; readonly message: string };

/** `originalCall` is `METHOD /path`; undefined keeps it to ourselves. */
export function errorText(refusal: HostRefusal, originalCall: string | undefined): string {
  return JSON.stringify({
    status: String(refusal.status),
    message: refusal.message,
    ...(originalCall === undefined ? {} : { 'original-call': originalCall }),
  });
}

/** Does nothing when an answer is under way already. */
export function answerError(
  response: ServerResponse,
  refusal: HostRefusal,
  originalCall: string | undefined,
): void {
  if (response.headersSent) return;
  const body = errorText(refusal, originalCall);
  response.writeHead(refusal.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

/** The same for a connection on which no request could be read. */
export function rawErrorAnswer(refusal: HostRefusal): string {
  const body = errorText(refusal, undefined);
  return [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? 'Error'}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
