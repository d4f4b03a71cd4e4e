/** Settings that change what an execution does. */

import { afterEach, expect, test } from 'vitest';
import { action, aPlaybook, byPerson, end, start, targetIds } from '../support/a-playbook.ts';
import { clientOf, until } from '../support/client.ts';
import { type HttpTarget, startHttpTarget } from '../support/http-target.ts';
import { type Service, startService } from '../support/service.ts';

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

async function serviceWith(environment: Record<string, string>): Promise<Service> {
  const service = await startService({ environment });
  opened.push(() => service.dispose());
  return service;
}

async function targetThat(react: Parameters<typeof startHttpTarget>[0]): Promise<HttpTarget> {
  const target = await startHttpTarget(react);
  opened.push(() => target.close());
  return target;
}

const at = ({ url }: HttpTarget) => ({
  target_definitions: {
    [targetIds.box]: { type: 'http-api', name: 'box', address: { url: [url] } },
  },
});

const twoBranches = (target: HttpTarget) =>
  aPlaybook(
    'branches',
    {
      start: start('both'),
      both: { type: 'parallel', next_steps: ['left', 'right'], on_completion: 'after' },
      left: action('left-end'),
      'left-end': end,
      right: action('right-end'),
      'right-end': end,
      after: action('end'),
      end,
    },
    at(target),
  );

test('PARALLEL_BRANCHES=concurrent runs branches side by side', async () => {
  const both = Promise.withResolvers<void>();
  const target = await targetThat(({ url }) => (url === '/after' ? {} : { after: both.promise }));
  const service = await serviceWith({ PARALLEL_BRANCHES: 'concurrent' });

  const answer = clientOf(service.url)('POST', '/trigger/playbook', { body: twoBranches(target) });
  await until(
    async () => target.received.map(({ url }) => url).toSorted(),
    (urls) => urls.length === 2,
  );
  both.resolve();

  expect((await answer).json.status).toBe('successfully_executed');
  expect(target.received.at(-1)?.url).toBe('/after');
});

test('branches run one after the other by default', async () => {
  const first = Promise.withResolvers<void>();
  const target = await targetThat(({ url }) => (url === '/left' ? { after: first.promise } : {}));
  const service = await serviceWith({});
  const body = twoBranches(target);

  const answer = clientOf(service.url)('POST', '/trigger/playbook', { body });
  await until(
    async () => target.received.length,
    (count) => count === 1,
  );
  first.resolve();
  await answer;

  expect(target.received.map(({ url }) => url)).toEqual(['/left', '/right', '/after']);
});

test('MAX_EXECUTIONS forgets the oldest finished executions, never a running one', async () => {
  const service = await serviceWith({ MAX_EXECUTIONS: '3' });
  const ask = clientOf(service.url);
  const waiting = aPlaybook('waiting', { start: start('ask'), ask: action('end', byPerson), end });
  const short = aPlaybook('short', { start: start('end'), end });
  const headers = { prefer: 'respond-async' };
  const running = (await ask('POST', '/trigger/playbook', { body: waiting, headers })).json;

  const finished: string[] = [];
  for (let count = 0; count < 6; count += 1) {
    const { json } = await ask('POST', '/trigger/playbook', { body: short });
    finished.push(json['execution-id']);
  }

  const kept = (await ask('GET', '/reporter')).json.map((report: { id: string }) => report.id);
  expect(kept).toEqual([running['execution-id'], ...finished.slice(-2)]);
  expect((await ask('GET', `/reporter/${finished[0]}`)).status).toBe(404);
});

test('TRIGGER_MAX_WAIT_SECONDS ends the wait of a trigger with 202', async () => {
  const service = await serviceWith({ TRIGGER_MAX_WAIT_SECONDS: '1' });
  const waiting = aPlaybook('waiting', { start: start('ask'), ask: action('end', byPerson), end });

  const answer = await clientOf(service.url)('POST', '/trigger/playbook', { body: waiting });

  expect(answer.status).toBe(202);
  expect(answer.headers.get('location')).toMatch(/^\/reporter\//);
});

test('MAX_LOOP_ITERATIONS stops a loop that does not end', async () => {
  const service = await serviceWith({ MAX_LOOP_ITERATIONS: '5' });
  const loop = aPlaybook('endless', {
    start: start('w'),
    w: {
      type: 'while-condition',
      condition: "'1' = '1'",
      on_true: 'nothing',
      on_completion: 'end',
    },
    nothing: end,
    end,
  });

  const { json } = await clientOf(service.url)('POST', '/trigger/playbook', { body: loop });
  const report = (await clientOf(service.url)('GET', `/reporter/${json['execution-id']}`)).json;

  expect(json.status).toBe('failed');
  expect(report.errors[0]).toContain('5 turns');
});

test('AGENT_PREFIXES lets playbooks of other products run, with the result names they expect', async () => {
  const target = await targetThat(() => ({ body: 'hello' }));
  const service = await serviceWith({ AGENT_PREFIXES: 'svc,acme' });
  const playbook = aPlaybook(
    'foreign',
    {
      start: start('a'),
      a: action('b'),
      b: action('end', {
        commands: [
          { type: 'http-api', command: 'GET /?said=__acme_http_api_result__:value HTTP/1.1' },
        ],
      }),
      end,
    },
    {
      ...at(target),
      agent_definitions: {
        'http-api--11111111-1111-4111-8111-111111111111': {
          type: 'http-api',
          name: 'acme-http-api',
          address: { url: ['http://127.0.0.1/'] },
        },
      },
    },
  );

  await clientOf(service.url)('POST', '/trigger/playbook', { body: playbook });

  expect(target.received.at(-1)?.url).toBe('/?said=hello');
});
