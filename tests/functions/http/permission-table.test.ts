/** Which permission each endpoint needs, said once more and independently of the route table. */

import { expect, test } from 'vitest';
import { type Need, permissions } from '../../../core/access/permissions.ts';
import { routes } from '../../../functions/http/routes.ts';

const rules: readonly (readonly [call: RegExp, needs: Need])[] = [
  // The console's page holds no data; whoever opens it has no token yet.
  [/^GET (console.*)?$/, 'open'],
  [/^GET (status|status\/ping)$/, 'any-role'],
  [/^GET (playbook|reporter|manual|status|step|swagger|execution)(\/.*)?$/, 'playbook:read'],
  // Neither stores nor executes anything.
  [/^POST (validation|execution\/dry-run)$/, 'playbook:read'],
  [/^(POST|PUT|DELETE) playbook(\/.*)?$/, 'playbook:write'],
  [/^POST (trigger\/.*|manual\/continue)$/, 'playbook:execute'],
  [/^POST execution\/\{executionId\}\/\w+$/, 'playbook:execute'],
  [/^\w+ keymanagement(\/.*)?$/, 'admin'],
  [/^(DELETE|POST) status\/fins(\/.*)?$/, 'admin'],
];

test.each(routes.map((route) => [`${route.method} ${route.path}`, route.needs] as const))(
  '%s needs %s',
  (call, needs) => {
    const [, wanted] = rules.find(([pattern]) => pattern.test(call)) ?? [];

    expect(needs).toBe(wanted);
  },
);

test('every permission is asked for somewhere', () => {
  const asked = new Set(routes.map(({ needs }) => needs));

  expect(permissions.filter((permission) => !asked.has(permission))).toEqual([]);
});

test('what changes something is never served to readers', () => {
  const harmless = ['validation', 'execution/dry-run'];
  const changing = routes.filter(
    ({ method, path }) => method !== 'GET' && !harmless.includes(path),
  );

  expect(
    changing.filter(({ needs }) => ['open', 'any-role', 'playbook:read'].includes(needs)),
  ).toEqual([]);
});
