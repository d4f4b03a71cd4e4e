/** Serves a function in buffered mode: the whole request goes in, the whole answer comes out. */

import { fromTypedData, type HttpData } from '../worker/typed-data.ts';
import { answerFailure, answerNothing, type Exchange, type ExchangeParts } from './exchange.ts';
import { readBody, refuseLargeBody } from './request-body.ts';
import { writeSetCookie } from './set-cookie.ts';
import { headersForFunction, queryForFunction, toNullable } from './trigger-request.ts';

/** The function runs to its end even when the client goes away meanwhile. Never rejects. */
export async function serveBuffered(exchange: Exchange, parts: ExchangeParts): Promise<void> {
  const { request, response, fn } = exchange;
  const body = await readBody(request, parts.maxBodyBytes).catch(() => 'gone' as const);
  if (body === 'gone') return;
  if (body === undefined) {
    refuseLargeBody(request, response, parts.maxBodyBytes, exchange.call);
    return;
  }
  try {
    const http = toHttpData(exchange, body);
    const { returnValue } = await parts.invoker.invoke(fn, {
      inputData: [{ name: fn.trigger.name, data: { http } }, ...parts.extraInputs(fn)],
    });
    if (returnValue?.http) answer(exchange, parts, returnValue.http);
    else answerNothing(exchange, parts);
  } catch (thrown) {
    answerFailure(exchange, parts, thrown);
  }
}

function toHttpData({ request, url, values }: Exchange, body: Buffer): HttpData {
  return {
    method: request.method ?? 'GET',
    url: url.href,
    nullableHeaders: toNullable(headersForFunction(request)),
    nullableQuery: toNullable(queryForFunction(url.searchParams)),
    nullableParams: toNullable(values),
    ...(body.length === 0 ? {} : { body: { bytes: body } }),
  };
}

const bodilessStatuses = new Set([204, 205, 304]);

function answer({ request, response }: Exchange, parts: ExchangeParts, http: HttpData): void {
  const status = Number(http.statusCode ?? 200);
  const headers: Record<string, string | number | string[]> = { ...parts.headers, ...http.headers };
  const cookies = (http.cookies ?? []).map(writeSetCookie);
  if (cookies.length > 0) headers['set-cookie'] = cookies;
  if (bodilessStatuses.has(status)) {
    response.writeHead(status, headers).end();
    return;
  }
  const bytes = http.body?.bytes ?? Buffer.from(String(fromTypedData(http.body) ?? ''));
  // The length that GET would have; a HEAD function that sends no body may state it itself.
  if (request.method !== 'HEAD' || bytes.length > 0) headers['content-length'] = bytes.length;
  response.writeHead(status, headers).end(bytes);
}
