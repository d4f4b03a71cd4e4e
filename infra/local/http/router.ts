/**
 * Chooses the function that answers a request, by the rules of the Functions host.
 *
 * R1  Functions are tried in the order of their names, compared by code unit in upper case. The first
 *     whose route matches path and method wins; a more specific route does not win over an earlier one.
 * R2  A known path with the wrong method is not found, just as an unknown path. HEAD and OPTIONS are
 *     answered only where they are listed.
 */

import { messageOf } from '../message-of.ts';
import { StartError } from '../start-error.ts';
import type { RegisteredFunction } from '../worker/function-registry.ts';
import { matchRoute, type RouteValues } from './match-route.ts';
import { parseRouteTemplate, type RouteSegment } from './route-template.ts';

export type AuthLevel = 'anonymous' | 'function' | 'admin';

export type HttpRoute = {
  readonly fn: RegisteredFunction;
  /** Upper case; undefined means every method. */
  readonly methods: ReadonlySet<string> | undefined;
  readonly authLevel: AuthLevel;
  readonly segments: readonly RouteSegment[];
};

export type RouteMatch = { readonly route: HttpRoute; readonly values: RouteValues };

export interface Router {
  /** `path` holds the decoded segments. */
  match(method: string, path: readonly string[]): RouteMatch | undefined;
}

/** Throws a StartError that names the function whose route cannot be used. */
export function createRouter(
  functions: readonly RegisteredFunction[],
  routePrefix: string,
): Router {
  const routes = functions
    .filter(({ triggerType }) => triggerType === 'httptrigger')
    .toSorted((left, right) => compareNames(left.name, right.name))
    .map((fn) => createRoute(fn, routePrefix));
  return {
    match(method, path) {
      for (const route of routes) {
        if (route.methods !== undefined && !route.methods.has(method)) continue;
        const values = matchRoute(route.segments, path);
        if (values !== undefined) return { route, values };
      }
      return undefined;
    },
  };
}

function createRoute(fn: RegisteredFunction, routePrefix: string): HttpRoute {
  const { route, methods, authLevel } = fn.trigger.options;
  // An empty route counts as absent; the root itself is served with `{root:maxlength(0)?}`.
  const ownTemplate = typeof route === 'string' && route !== '' ? route : fn.name;
  const template = routePrefix === '' ? ownTemplate : `${routePrefix}/${ownTemplate}`;
  try {
    const segments = parseRouteTemplate(template);
    refuseReserved(segments);
    return { fn, methods: toMethods(methods), authLevel: toAuthLevel(authLevel), segments };
  } catch (cause) {
    const problem = messageOf(cause);
    throw new StartError(
      `The route of function "${fn.name}" (${template}) is not usable: ${problem}`,
      {
        cause,
      },
    );
  }
}

// These belong to the host itself.
const reservedSegments = ['admin', 'runtime'];

function refuseReserved(segments: readonly RouteSegment[]): void {
  const first = segments[0]?.[0];
  if (first?.kind === 'literal' && reservedSegments.includes(first.text.toLowerCase())) {
    throw new Error(`routes must not begin with ${reservedSegments.join(' or ')}.`);
  }
}

function toMethods(methods: unknown): ReadonlySet<string> | undefined {
  if (!Array.isArray(methods) || methods.length === 0) return undefined;
  return new Set(methods.map((method) => String(method).toUpperCase()));
}

function toAuthLevel(level: unknown): AuthLevel {
  const known = typeof level === 'string' ? level.toLowerCase() : 'anonymous';
  if (known === 'anonymous' || known === 'function' || known === 'admin') return known;
  throw new Error(`its authLevel "${known}" is unknown.`);
}

function compareNames(left: string, right: string): number {
  const [a, b] = [left.toUpperCase(), right.toUpperCase()];
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
