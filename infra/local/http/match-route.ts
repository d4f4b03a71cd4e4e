/** Compares the segments of a path with a parsed route. Literals match without regard to case. */

import type { RouteParameter, RoutePart, RouteSegment } from './route-template.ts';

export type RouteValues = Readonly<Record<string, string>>;

/** Answers the values of the parameters, or undefined when the path does not match. */
export function matchRoute(
  route: readonly RouteSegment[],
  path: readonly string[],
): RouteValues | undefined {
  const values: Record<string, string> = {};
  for (const [index, segment] of route.entries()) {
    const [only] = segment;
    if (only?.kind === 'parameter' && only.catchAll) {
      return accept(only, path.slice(index).join('/'), values) ? values : undefined;
    }
    const given = path[index];
    const matches =
      given === undefined ? matchNothing(segment, values) : matchSegment(segment, given, values);
    if (!matches) return undefined;
  }
  return path.length > route.length ? undefined : values;
}

function matchNothing(segment: RouteSegment, values: Record<string, string>): boolean {
  const [only, ...others] = segment;
  return only?.kind === 'parameter' && others.length === 0 && accept(only, '', values);
}

function matchSegment(
  segment: RouteSegment,
  given: string,
  values: Record<string, string>,
): boolean {
  const [only, ...others] = segment;
  if (others.length > 0) return matchParts(segment, given, values);
  if (only?.kind === 'literal') return only.text.toLowerCase() === given.toLowerCase();
  return only !== undefined && accept(only, given, values);
}

/** An absent value is fine where a default or the question mark says so; it meets no constraint. */
function accept(parameter: RouteParameter, value: string, values: Record<string, string>): boolean {
  if (value === '') {
    if (parameter.default !== undefined) values[parameter.name] = parameter.default;
    return parameter.default !== undefined || parameter.optional || parameter.catchAll;
  }
  if (!parameter.constraints.every((isMet) => isMet(value))) return false;
  values[parameter.name] = value;
  return true;
}

function matchParts(
  parts: readonly RoutePart[],
  given: string,
  values: Record<string, string>,
): boolean {
  const last = parts.at(-1);
  if (matchAllParts(parts, given, values)) return true;
  // `{name}.{extension?}`: without the optional end, the point before it goes too.
  if (last?.kind !== 'parameter' || !last.optional) return false;
  const separator = parts.at(-2);
  const shorter = parts.slice(0, separator?.kind === 'literal' && separator.text === '.' ? -2 : -1);
  return matchAllParts(shorter, given, values);
}

function matchAllParts(
  parts: readonly RoutePart[],
  given: string,
  values: Record<string, string>,
): boolean {
  // Greedy from the left: the text between two parameters is looked for from the right.
  const pattern = parts.map((part) =>
    part.kind === 'literal' ? part.text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : '(.+)',
  );
  const found = new RegExp(`^${pattern.join('')}$`, 'is').exec(given);
  if (found === null) return false;
  const parameters = parts.filter((part) => part.kind === 'parameter');
  return parameters.every((parameter, index) => accept(parameter, found[index + 1] ?? '', values));
}
