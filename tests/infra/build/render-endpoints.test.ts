import { expect, test } from 'vitest';
import type { Route } from '../../../functions/http/route.ts';
import { renderApiPage, renderEndpointTable } from '../../../infra/build/render-endpoints.ts';

const route = (method: Route['method'], path: string, more: Partial<Route> = {}): Route => ({
  name: `${method} ${path}`,
  method,
  path,
  needs: 'playbook:read',
  tag: path.split('/')[0] ?? '',
  summary: `What ${path} does`,
  answers: { 200: { description: 'It is done' } },
  handle: async () => ({ status: 200 }),
  ...more,
});

const routes = [
  route('GET', 'playbook'),
  route('POST', 'playbook', {
    needs: 'playbook:write',
    answers: { 201: { description: 'Stored' } },
    refusals: ['playbook-exists', 'playbook-invalid'],
  }),
  route('GET', 'status/ping', { needs: 'any-role', tag: 'status' }),
];

test('the table of the README has one row per resource and every call in it', () => {
  expect(renderEndpointTable(routes)).toBe(
    [
      '| Resource | Calls |',
      '|---|---|',
      '| [playbook](docs/api.md#playbook) | `GET POST /playbook` |',
      '| [status](docs/api.md#status) | `GET /status/ping` |',
    ].join('\n'),
  );
});

test('the reference says of every call what it needs, what it answers and what it does', () => {
  const lines = renderApiPage(routes).split('\n');

  expect(lines).toContain('## playbook');
  expect(lines).toContain('| `GET /playbook` | `playbook:read` | 200 | What playbook does |');
  expect(lines).toContain(
    '| `POST /playbook` | `playbook:write` | 201, 400, 409 | What playbook does |',
  );
  expect(lines).toContain('| `GET /status/ping` | any | 200 | What status/ping does |');
});
