import { expect, test } from 'vitest';
import type { Route } from '../../../functions/http/route.ts';
import { renderPermissions } from '../../../infra/build/render-permissions.ts';

const route = (method: Route['method'], path: string, needs: Route['needs']): Route => ({
  ...{ name: path, method, path, needs, tag: '', summary: '', answers: {} },
  handle: () => Promise.reject(new Error('not called')),
});

test('the page says what each role may do and which calls need what', () => {
  const shown = renderPermissions([
    route('GET', 'status', 'any-role'),
    route('GET', 'playbook', 'playbook:read'),
    route('GET', 'manual', 'playbook:read'),
    route('DELETE', 'status/fins', 'admin'),
  ]);

  expect(shown).toBe(
    [
      '| App role | `playbook:read` | `playbook:write` | `playbook:execute` | `admin` |',
      '|---|---|---|---|---|',
      '| `Playbook.Read` | yes |  |  |  |',
      '| `Playbook.Write` | yes | yes |  |  |',
      '| `Playbook.Execute` | yes |  | yes |  |',
      '| `Service.Admin` | yes | yes | yes | yes |',
      '',
      '| Permission | Calls |',
      '|---|---|',
      '| any | `GET /status` |',
      '| `playbook:read` | `GET /playbook`<br>`GET /manual` |',
      '| `admin` | `DELETE /status/fins` |',
    ].join('\n'),
  );
});
