/**
 * What all endpoints share: request id, CORS, who calls and what they may, body limits, and the general
 * error object for whatever goes wrong.
 */

import type { HttpHandler, HttpRequest, HttpResponseInit } from '@azure/functions';
import * as df from 'durable-functions';
import { admit } from '../../core/access/admit.ts';
import type { Caller } from '../../core/access/permissions.ts';
import { errorBody } from '../../core/errors/error-body.ts';
import { Refusal } from '../../core/errors/refusal.ts';
import type { Orchestrations } from '../../core/ports/orchestrations.ts';
import type { Composition, Ready } from '../composition.ts';
import { durableOrchestrations } from '../durable-orchestrations.ts';
import { corsHeaders } from './cors.ts';
import { readJson } from './read-json.ts';
import type { Answer, Call, Route } from './route.ts';

export function handle(ready: Ready, route: Route, routes: readonly Route[]): HttpHandler {
  return async (request, context) => {
    const startedMs = performance.now();
    const composition = await ready();
    const orchestrations =
      route.durable === undefined ? noOrchestrations : durableOrchestrations(df.getClient(context));
    const parts = { composition, routes, orchestrations };
    const answer = await answerOf(route, request, parts);
    const log = route.tag === 'playbook' ? composition.playbookLog : composition.log;
    if (log.enabled('debug')) {
      const tookMs = Math.round(performance.now() - startedMs);
      const { method, url } = request;
      log.debug('http.request', { method, path: pathOf(url), status: answer.status, tookMs });
    }
    return answer;
  };
}

type Parts = Pick<Call, 'composition' | 'routes' | 'orchestrations'>;

async function answerOf(
  route: Route,
  request: HttpRequest,
  parts: Parts,
): Promise<HttpResponseInit> {
  const { composition } = parts;
  const cors = corsHeaders(composition.config.http, request.headers.get('origin') ?? undefined);
  try {
    const caller = await identify(composition, route, request);
    composition.rateLimiter.count(callerOf(caller, request));
    const answer = await route.handle(callOf(request, caller, parts));
    return toResponse(answer, cors);
  } catch (error) {
    return toResponse(refusal(composition, request, error), cors);
  }
}

function identify(composition: Composition, route: Route, request: HttpRequest): Promise<Caller> {
  return admit(composition, {
    authorization: request.headers.get('authorization') ?? undefined,
    needs: route.needs,
    route: route.name,
    method: request.method,
    path: pathOf(request.url),
  });
}

/** Without authentication callers can only be told apart by where they call from. */
function callerOf(caller: Caller, { headers }: HttpRequest): string {
  return caller.id ?? caller.name ?? headers.get('x-forwarded-for')?.split(':')[0] ?? '';
}

function callOf(request: HttpRequest, caller: Caller, parts: Parts): Call {
  const { maxBodyBytes } = parts.composition.config.http;
  return {
    ...parts,
    caller,
    param: (name) => request.params[name] ?? '',
    header: (name) => request.headers.get(name) ?? undefined,
    query: request.query,
    json: () => readJson(request, maxBodyBytes),
  };
}

/** The general error object, whatever was thrown; only refusals say more than that something failed. */
export function refusal(composition: Composition, request: HttpRequest, error: unknown): Answer {
  const known = asRefusal(error);
  if (known.status >= 500) noteFailure(composition, pathOf(request.url), known, error);
  const isProduction = composition.config.log.mode === 'production';
  const originalCall = isProduction ? undefined : `${request.method} ${pathOf(request.url)}`;
  return {
    status: known.status,
    ...(known.extra.headers === undefined ? {} : { headers: known.extra.headers }),
    body: errorBody(known, originalCall),
  };
}

/** A part that is away is expected and asked for often; anything else is a defect. */
function noteFailure({ log }: Composition, path: string, known: Refusal, error: unknown): void {
  if (known.code === 'internal') log.error('http.failed', { path, error });
  else log.warning('http.unavailable', { path, code: known.code, cause: known.cause });
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal('internal');
}

export function toResponse(
  answer: Answer,
  cors: Readonly<Record<string, string>>,
): HttpResponseInit {
  const headers = { ...cors, ...answer.headers };
  if (answer.text !== undefined) return { status: answer.status, headers, body: answer.text };
  if (answer.body === undefined) return { status: answer.status, headers };
  return {
    status: answer.status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(answer.body),
  };
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : '/';
}

/** A route that was not declared durable must not start anything. */
const noOrchestrations: Orchestrations = {
  start: () => Promise.reject(new Error('The route is not declared durable.')),
  wake: () => Promise.reject(new Error('The route is not declared durable.')),
  forgetEnded: () => Promise.reject(new Error('The route is not declared durable.')),
};
