/** Reads the body of a request up to a limit, and stops those who send more. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerError } from './error-answer.ts';

// Closing while a client still sends may destroy our answer before it is read; so what arrives is
// thrown away for a moment first.
const lingerMs = 2000;

/** True when the client announced more than `limit` bytes; nothing has to be read to know that. */
export function announcesTooMuch(request: IncomingMessage, limit: number): boolean {
  return Number(request.headers['content-length'] ?? 0) > limit;
}

/** Resolves to undefined as soon as more than `limit` bytes came; rejects when the client goes away. */
export async function readBody(
  request: IncomingMessage,
  limit: number,
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Not `for await`: leaving that loop early would cut the connection before the answer is out.
  return await new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) resolve(undefined);
      else chunks.push(chunk);
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => reject(new Error('The client went away.')));
  });
}

/** Answers 413 and lets go of the connection unless the client stops sending soon. */
export function refuseLargeBody(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
  originalCall: string | undefined,
): void {
  const message = `The body of the request is larger than ${limit} bytes.`;
  answerError(response, { status: 413, message }, originalCall);
  request.removeAllListeners('data');
  request.resume();
  const timer = setTimeout(() => request.destroy(), lingerMs);
  request.once('close', () => clearTimeout(timer));
}
