/** The documentation of the endpoints, rendered from the route table. */

import { catalogue } from '../../core/errors/catalogue.ts';
import type { Route } from '../../functions/http/route.ts';

/** One row per group of endpoints, for the README. */
export function renderEndpointTable(routes: readonly Route[]): string {
  const rows = groupsOf(routes).map(([tag, group]) => {
    const paths = Map.groupBy(group, ({ path }) => path);
    const calls = [...paths].map(
      ([path, same]) => `\`${same.map(({ method }) => method).join(' ')} /${path}\``,
    );
    return `| [${tag}](docs/api.md#${tag}) | ${calls.join('<br>')} |`;
  });
  return ['| Resource | Calls |', '|---|---|', ...rows].join('\n');
}

/** The whole page of the reference: every call with what it needs and what it answers. */
export function renderApiPage(routes: readonly Route[]): string {
  const groups = groupsOf(routes).flatMap(([tag, group]) => [
    `## ${tag}`,
    '',
    '| Call | Permission | Answers | What it does |',
    '|---|---|---|---|',
    ...group.map(endpointRow),
    '',
  ]);
  return [...introduction, ...groups].join('\n');
}

const introduction = [
  '# Endpoints',
  '',
  'Generated from the route table in `functions/http`; do not edit. A running service shows the same',
  'with all schemas at `/swagger/index.html`, as OpenAPI 3.1 at `/swagger/doc.json`.',
  '',
  'Bodies are JSON. Every path is also served with a trailing slash; `HEAD` works wherever `GET` does.',
  'Permissions count only while `AUTH_ENABLED` is true. Besides the answers listed, every call may be',
  'refused with 401 or 403 (who is asking), 500 and 503 (the service itself), every call with a body with',
  '400 (no JSON); [errors](errors.md) has all of them.',
  '',
];

function groupsOf(routes: readonly Route[]): readonly (readonly [string, readonly Route[]])[] {
  return [...Map.groupBy(routes, ({ tag }) => tag)];
}

function endpointRow(route: Route): string {
  const { method, path, needs, answers, refusals = [], summary } = route;
  const statuses = [
    ...Object.keys(answers).map(Number),
    ...refusals.map((code) => catalogue[code].status),
  ];
  const shown = [...new Set(statuses)].sort((left, right) => left - right).join(', ');
  return `| \`${method} /${path}\` | ${permissionOf(needs)} | ${shown} | ${summary} |`;
}

function permissionOf(needs: Route['needs']): string {
  if (needs === 'open') return 'none';
  return needs === 'any-role' ? 'any' : `\`${needs}\``;
}
