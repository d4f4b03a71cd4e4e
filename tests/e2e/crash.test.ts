/** kill -9 in the middle of executions, restart: nothing is lost, nothing recorded runs again. */

import { afterEach, expect, test } from 'vitest';
import { action, aPlaybook, byPerson, end, idOf, start, targetIds } from '../support/a-playbook.ts';
import { clientOf, until } from '../support/client.ts';
import { type HttpTarget, startHttpTarget } from '../support/http-target.ts';
import { restartService, type Service, startService } from '../support/service.ts';

const opened: { dispose?(): Promise<void>; close?(): Promise<void> }[] = [];
const keep = <Part extends Service | HttpTarget>(part: Part): Part => {
  opened.push(part);
  return part;
};
afterEach(async () => {
  for (const part of opened.splice(0)) await (part.dispose ?? part.close)?.();
});

const at = ({ url }: HttpTarget) => ({
  target_definitions: {
    [targetIds.box]: { type: 'http-api', name: 'box', address: { url: [url] } },
  },
});

const ended = (service: Service, id: string) =>
  until(
    () => clientOf(service.url)('GET', `/reporter/${id}`),
    ({ status }) => status === 200,
    20_000,
  );

async function trigger(service: Service, body: unknown): Promise<string> {
  const headers = { prefer: 'respond-async' };
  const { json } = await clientOf(service.url)('POST', '/trigger/playbook', { body, headers });
  return json['execution-id'];
}

test('a killed service finishes the run: recorded steps are not repeated, the interrupted one is marked', async () => {
  const held = Promise.withResolvers<void>();
  let seen = 0;
  const target = keep(
    await startHttpTarget(({ url }) => {
      if (url !== '/b') return {};
      seen += 1;
      return seen === 1 ? { after: held.promise } : {};
    }),
  );
  const before = keep(await startService());
  const playbook = aPlaybook(
    'killed',
    {
      start: start('a'),
      a: action('b'),
      b: action('c'),
      c: action('end'),
      end,
    },
    at(target),
  );
  const id = await trigger(before, playbook);
  await until(
    async () => target.received.length,
    (count) => count === 2,
  );

  await before.kill();
  held.resolve();
  const after = keep(await restartService(before));
  const report = (await ended(after, id)).json;

  expect(report.status).toBe('successfully_executed');
  expect(target.received.map(({ url }) => url)).toEqual(['/a', '/b', '/b', '/c']);
  expect(report.step_results[idOf('action', 'a')].restarted).toBe(undefined);
  expect(report.step_results[idOf('action', 'b')]).toMatchObject({
    status: 'successfully_executed',
    restarted: 1,
    status_text: expect.stringContaining('interruption'),
  });
});

test('a pending manual command survives the kill and can be answered afterwards', async () => {
  const before = keep(await startService());
  const playbook = aPlaybook('pending', {
    start: start('ask'),
    ask: action('end', byPerson),
    end,
  });
  const id = await trigger(before, playbook);
  const step = idOf('action', 'ask');
  await until(
    () => clientOf(before.url)('GET', `/manual/${id}/${step}`),
    ({ status }) => status === 200,
  );

  await before.kill();
  const after = keep(await restartService(before));
  const body = { execution_id: id, step_id: step, response_status: 'success' };
  const answer = await clientOf(after.url)('POST', '/manual/continue', { body });

  expect(answer.status).toBe(200);
  expect((await ended(after, id)).json.status).toBe('successfully_executed');
});

test('a delay that ran out while the service was down ends at once', async () => {
  const target = keep(await startHttpTarget());
  const before = keep(await startService());
  const playbook = aPlaybook(
    'delayed',
    { start: start('a'), a: action('b'), b: action('end', { delay: 1500 }), end },
    at(target),
  );
  const id = await trigger(before, playbook);
  await until(
    () => clientOf(before.url)('GET', `/reporter/${id}`),
    ({ json }) => json.step_results[idOf('action', 'a')]?.status === 'successfully_executed',
  );

  await before.kill();
  const after = keep(await restartService(before));

  expect((await ended(after, id)).json.status).toBe('successfully_executed');
  expect(target.received.map(({ url }) => url)).toEqual(['/a', '/b']);
});

test('a service that is asked to stop does so with exit code 0 and keeps its playbooks', async () => {
  const before = keep(await startService());
  const playbook = aPlaybook('kept', { start: start('end'), end });
  await clientOf(before.url)('POST', '/playbook', { body: playbook });

  const code = await before.stop();
  const after = keep(await restartService(before));

  expect(code).toBe(0);
  expect((await clientOf(after.url)('GET', '/playbook')).json).toEqual([playbook]);
});

test('a second service on the same data directory does not start', async () => {
  const first = keep(await startService());

  await expect(restartService(first)).rejects.toThrow(/cannot start/);
});
