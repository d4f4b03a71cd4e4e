/**
 * Answers what no route takes: preflights, wrong methods (405 with Allow) and unknown paths (404), all
 * with the general error object. The host would answer them with an empty 404.
 */

import type { HttpHandler, HttpRequest } from '@azure/functions';
import { admit } from '../../core/access/admit.ts';
import { Refusal } from '../../core/errors/refusal.ts';
import type { Composition, Ready } from '../composition.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { refusal, toResponse } from './handle.ts';
import type { Route } from './route.ts';

export function unmatched(ready: Ready, routes: readonly Route[]): HttpHandler {
  return async (request) => {
    const composition = await ready();
    const { http } = composition.config;
    const origin = request.headers.get('origin') ?? undefined;
    const isPreflight = request.headers.has('access-control-request-method');
    if (request.method === 'OPTIONS' && origin !== undefined && isPreflight) {
      const headers = preflightHeaders(http, origin);
      if (headers !== undefined) return { status: 204, headers };
      return toResponse(refusal(composition, request, new Refusal('origin-refused')), {});
    }
    const cors = corsHeaders(http, origin);
    return toResponse(await answer(composition, request, routes), cors);
  };
}

async function answer(composition: Composition, request: HttpRequest, routes: readonly Route[]) {
  try {
    // Whoever may not ask is not told which paths exist.
    await admit(composition, {
      authorization: request.headers.get('authorization') ?? undefined,
      needs: 'any-role',
      route: undefined,
      method: request.method,
      path: pathOf(request),
    });
    const methods = methodsAt(routes, segmentsOf(request));
    if (request.method === 'OPTIONS' && methods.length > 0) {
      return { status: 204, headers: { allow: methods.join(', ') } };
    }
    throw refusalOf(request, methods);
  } catch (error) {
    return refusal(composition, request, error);
  }
}

function refusalOf(request: HttpRequest, methods: readonly string[]): Refusal {
  const path = pathOf(request);
  if (path === undefined) return new Refusal('url-undecodable');
  if (methods.length === 0) return new Refusal('path-unknown', path);
  const wrong: Refusal = new Refusal('method-unknown', request.method, path);
  return wrong.with({ headers: { allow: methods.join(', ') } });
}

/** Undefined when the path holds percent signs that mean nothing. */
function pathOf(request: HttpRequest): string | undefined {
  try {
    return decodeURIComponent(new URL(request.url).pathname);
  } catch {
    return undefined;
  }
}

function methodsAt(
  routes: readonly Route[],
  parts: readonly string[] | undefined,
): readonly string[] {
  if (parts === undefined) return [];
  const methods = routes.filter((route) => fits(route.path, parts)).map(({ method }) => method);
  if (methods.length === 0) return [];
  return [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])];
}

/** As the host splits a path: one slash at its end does not count, doubled and encoded ones do. */
function segmentsOf(request: HttpRequest): readonly string[] | undefined {
  try {
    const inner = new URL(request.url).pathname.replace(/^\//, '').replace(/\/$/, '');
    return inner === '' ? [] : inner.split('/').map((segment) => decodeURIComponent(segment));
  } catch {
    return undefined;
  }
}

function fits(path: string, parts: readonly string[]): boolean {
  const pattern = path === '' ? [] : path.split('/');
  return (
    pattern.length === parts.length &&
    pattern.every(
      (part, index) => part.startsWith('{') || part.toLowerCase() === parts[index]?.toLowerCase(),
    )
  );
}
