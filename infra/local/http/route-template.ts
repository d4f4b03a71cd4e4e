/**
 * Parses a route such as `runs/{id:guid}/{*rest}` into segments.
 *
 * T1  A slash separates segments only outside braces: a regex constraint may hold one.
 * T2  Doubled braces stand for one brace, in literal text and inside a parameter alike.
 * T3  What may be left out (optional, with default, catch-all) stands at the end.
 */

import { createRouteConstraint, type RouteConstraint } from './route-constraints.ts';

export type RouteParameter = {
  readonly kind: 'parameter';
  readonly name: string;
  readonly catchAll: boolean;
  readonly optional: boolean;
  readonly default: string | undefined;
  readonly constraints: readonly RouteConstraint[];
};

export type RoutePart = { readonly kind: 'literal'; readonly text: string } | RouteParameter;

/** One or more parts; two parameters never touch. */
export type RouteSegment = readonly RoutePart[];

/** Throws an Error that says what is wrong with the template. */
export function parseRouteTemplate(template: string): readonly RouteSegment[] {
  const segments = splitSegments(template.replace(/^\/|\/$/g, ''));
  const names = segments.flat().flatMap((part) => (part.kind === 'parameter' ? part.name : []));
  const repeated = names.find((name, index) => {
    const first = names.findIndex((other) => other.toLowerCase() === name.toLowerCase());
    return first !== index;
  });
  if (repeated !== undefined) throw new Error(`The parameter ${repeated} appears twice.`);
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    checkSegment(segment, isLast);
  }
  return segments;
}

function splitSegments(template: string): readonly RouteSegment[] {
  if (template === '') return [];
  const segments: RoutePart[][] = [[]];
  let at = 0;
  while (at < template.length) {
    const segment = segments.at(-1) ?? [];
    if (template[at] === '/') {
      segments.push([]);
      at += 1;
      continue;
    }
    const isParameter = template[at] === '{' && template[at + 1] !== '{';
    const read = isParameter ? readParameter(template, at + 1) : readLiteral(template, at);
    segment.push(read.part);
    at = read.end;
  }
  return segments;
}

type Read = { readonly part: RoutePart; readonly end: number };

function readLiteral(template: string, start: number): Read {
  let text = '';
  let at = start;
  while (at < template.length && template[at] !== '/') {
    const mark = template[at];
    const doubled = mark === template[at + 1];
    if (mark === '{' && !doubled) break;
    if (mark === '}' && !doubled) throw new Error('A closing brace has no opening one.');
    text += mark;
    at += mark === '{' || mark === '}' ? 2 : 1;
  }
  return { part: { kind: 'literal', text }, end: at };
}

function readParameter(template: string, start: number): Read {
  let text = '';
  let at = start;
  while (at < template.length) {
    const mark = template[at];
    const doubled = mark === template[at + 1];
    if (mark === '}' && !doubled) return { part: parseParameter(text), end: at + 1 };
    if (mark === '{' && !doubled) throw new Error('Braces inside a parameter must be doubled.');
    text += mark;
    at += mark === '{' || mark === '}' ? 2 : 1;
  }
  throw new Error('An opening brace has no closing one.');
}

function parseParameter(text: string): RouteParameter {
  const [head = '', stars = '', name = ''] = /^(\*{0,2})([^*:=?/(){}]+)/.exec(text) ?? [];
  if (name === '') throw new Error(`"{${text}}" has no parameter name.`);
  const constraints: RouteConstraint[] = [];
  let rest = text.slice(head.length);
  while (rest.startsWith(':')) {
    // A closing parenthesis ends the argument only where something else can begin.
    const [all = '', constraint = '', argument] =
      /^:([^:=?(]+)(?:\((.*?)\)(?=$|:|=|\?$))?/s.exec(rest) ?? [];
    if (all === '') throw new Error(`"{${text}}" has a constraint without a name.`);
    constraints.push(createRouteConstraint(constraint, argument));
    rest = rest.slice(all.length);
  }
  if (rest !== '' && rest !== '?' && !rest.startsWith('=')) {
    throw new Error(`"{${text}}" is not understood from "${rest}" on.`);
  }
  return {
    kind: 'parameter',
    name,
    catchAll: stars !== '',
    optional: rest === '?',
    default: rest.startsWith('=') ? rest.slice(1) : undefined,
    constraints,
  };
}

function checkSegment(segment: RouteSegment, isLast: boolean): void {
  if (segment.length === 0) throw new Error('A segment is empty.');
  for (const [index, part] of segment.entries()) {
    if (part.kind === 'literal') continue;
    if (segment[index + 1]?.kind === 'parameter') {
      throw new Error('Two parameters need text between them.');
    }
    const endsRoute = isLast && index === segment.length - 1;
    if (part.catchAll && (!endsRoute || segment.length > 1)) {
      throw new Error(`The catch-all ${part.name} must be the last segment.`);
    }
    if (part.optional && !endsRoute)
      throw new Error(`Only the end may be optional, not ${part.name}.`);
  }
}
