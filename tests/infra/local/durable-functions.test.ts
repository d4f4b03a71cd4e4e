/** A real durable app through the whole host: its client over HTTP, its orchestrators in the engine. */

import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  eventually,
  failToStart,
  fixtureApp,
  type HostProcess,
  removeTemporary,
  startHostProcess,
} from './host-process.ts';
import { listeningSockets } from './listening-sockets.ts';

afterAll(removeTemporary);

type Status = { runtimeStatus: string; output: unknown; customStatus: unknown };

function aClient(host: HostProcess) {
  const call = async (path: string, body?: unknown) => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${host.url}/${path}`, init);
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}`);
    return answer.json();
  };
  const status = async (id: string) => (await call(`status/${id}`)) as Status;
  const until = async (id: string, reached: (status: Status) => boolean) =>
    await eventually(async () => {
      const now = await status(id);
      return reached(now) ? now : undefined;
    });
  return {
    call,
    status,
    until,
    finish: async (id: string) => {
      const ended = ['Completed', 'Failed', 'Terminated'];
      return await until(id, ({ runtimeStatus }) => ended.includes(runtimeStatus));
    },
  };
}

const routes = [
  ['live objects', { DURABLE_ROUTE: 'live' }],
  [
    'JSON, every episode replayed twice, without caches',
    {
      DURABLE_ROUTE: 'json',
      DURABLE_CHECK_REPLAY: 'true',
      DURABLE_DROP_CACHES: 'true',
      DURABLE_SHUFFLE_SEED: '7',
    },
  ],
] as const;

describe.each(routes)('durable functions by way of %s', (_name, environment) => {
  let host: HostProcess;
  let client: ReturnType<typeof aClient>;
  beforeAll(async () => {
    host = await startHostProcess(fixtureApp('durable-app'), environment);
    client = aClient(host);
  });
  afterAll(async () => {
    await host.stop();
  });

  test.each([
    ['a chain of activities', 'chain', { value: 2 }, { value: 16 }],
    ['a durable timer', 'timer', { ms: 50 }, true],
    [
      'sub-orchestrations side by side',
      'parent',
      { values: [1, 2] },
      [{ value: 8 }, { value: 16 }],
    ],
    ['generation after generation', 'generations', { turn: 1, left: 5 }, 64],
    [
      'values of every kind',
      'values',
      {},
      ['123', '{"a":1}', '', 0, 1.5, true, null, { deep: [1, 'x'] }, 'YWJj'],
    ],
    ['an activity that throws', 'fails', {}, 'caught'],
  ])('%s comes out right', async (_what, name, input, output) => {
    expect(await client.call(`start/${name}/${name}-1`, input)).toBe(`${name}-1`);

    expect(await client.finish(`${name}-1`)).toMatchObject({ runtimeStatus: 'Completed', output });
  });

  test('an external event wakes the orchestration that waits for it', async () => {
    await client.call('start/ask/ask-1', {});
    await client.until('ask-1', ({ customStatus }) => customStatus === 'asking');

    await client.call('raise/ask-1/answer', { yes: true });

    expect(await client.finish('ask-1')).toMatchObject({
      runtimeStatus: 'Completed',
      output: { yes: true },
    });
  });

  test('an orchestrator that throws fails its instance', async () => {
    await client.call('start/throws/throws-1', {});

    expect(await client.finish('throws-1')).toMatchObject({
      runtimeStatus: 'Failed',
      output: expect.stringContaining('orchestrator says no'),
    });
  });

  test('an instance can be terminated and purged', async () => {
    await client.call('start/ask/ask-2', {});
    await client.until('ask-2', ({ runtimeStatus }) => runtimeStatus === 'Running');

    await client.call('terminate/ask-2', {});

    expect(await client.finish('ask-2')).toMatchObject({
      runtimeStatus: 'Terminated',
      output: 'enough',
    });
    expect(await client.call('purge/ask-2', {})).toEqual({ instancesDeleted: 1 });
  });

  test('a timer function has a client too', async () => {
    expect(await client.finish('by-timer')).toMatchObject({ output: { value: 40 } });
  });
});

test('instances go on after the host was killed, and after it was stopped', async () => {
  const first = await startHostProcess(fixtureApp('durable-app'));
  await aClient(first).call('start/ask/survivor', {});
  await aClient(first).until('survivor', ({ customStatus }) => customStatus === 'asking');
  first.signal('SIGKILL');
  await first.ended;

  const data = { DATA_DIR: first.dataDirectory };
  const second = await startHostProcess(fixtureApp('durable-app'), data);
  expect(await aClient(second).status('survivor')).toMatchObject({ runtimeStatus: 'Running' });
  expect(await second.stop()).toBe(0);

  const third = await startHostProcess(fixtureApp('durable-app'), data);
  await aClient(third).call('raise/survivor/answer', 'late');
  expect(await aClient(third).finish('survivor')).toMatchObject({ output: 'late' });
  expect(await third.stop()).toBe(0);
});

describe('the management API', () => {
  let host: HostProcess;
  let link: URL;
  beforeAll(async () => {
    host = await startHostProcess(fixtureApp('durable-app'));
    await aClient(host).call('start/chain/chain-1', { value: 1 });
    const links = (await (await fetch(`${host.url}/links/chain-1`)).json()) as Record<
      string,
      string
    >;
    link = new URL(links['statusQueryGetUri'] ?? '');
  });
  afterAll(async () => {
    await host.stop();
  });

  const statusOf = async (url: URL, headers: Record<string, string> = {}) =>
    await new Promise<number | undefined>((resolve, reject) => {
      request(url, { headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .once('error', reject)
        .end();
    });
  const withHost = (name: string) => {
    const url = new URL(link);
    url.hostname = name;
    return url;
  };

  test('is reached on this machine with its key', async () => {
    expect(link.origin).toBe(host.url);
    expect([200, 202]).toContain(await statusOf(link));
  });

  test('refuses a wrong key', async () => {
    const url = new URL(link);
    url.searchParams.set('code', 'guess');

    expect(await statusOf(url)).toBe(401);
  });

  test('is not there for a page of another site that calls this machine by its own name', async () => {
    expect(await statusOf(link, { host: 'evil.example' })).toBe(404);
  });

  test('is not there for other machines', async () => {
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((address) => address?.family === 'IPv4' && !address.internal)?.address;
    if (outside === undefined) return;

    expect(await statusOf(withHost(outside), { host: `localhost:${host.port}` })).toBe(404);
  });

  test.runIf(process.platform === 'linux')(
    "the app's own way to it is behind a secret on the loopback",
    async () => {
      const sockets = await listeningSockets(host.pid);
      const [rpc, ...more] = sockets.filter(({ port }) => port !== host.port);

      expect(rpc?.address).toBe('127.0.0.1');
      expect(more).toEqual([]);
      expect(await statusOf(new URL(`http://127.0.0.1:${rpc?.port}/durabletask/instances`))).toBe(
        404,
      );
    },
  );
});

test('a second host on the same durable database is refused', async () => {
  const first = await startHostProcess(fixtureApp('durable-app'));
  const second = await failToStart(fixtureApp('durable-app'), { DATA_DIR: first.dataDirectory });
  await first.stop();

  expect(second.code).toBe(1);
  expect(second.stderr).toMatch(/^Theobroma cannot start\. .*another instance is using it\.\n$/);
});
