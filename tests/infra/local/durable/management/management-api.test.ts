import { describe, expect, test } from 'vitest';
import '../fixture/orchestrations.ts';
import type { StatusBody } from '../fixture/test-host.ts';
import { aHost } from '../fixture/test-host.ts';

describe('starting', () => {
  test('a start is answered 202 with links, location and retry-after', async () => {
    const host = await aHost();

    const answer = await host.send('POST', 'orchestrators/waitFor/my-run', { names: ['go'] });

    const base = 'http://localhost:1/runtime/webhooks/durabletask/instances/my-run';
    const access = 'taskHub=TestHub&connection=Storage&code=key';
    expect(answer).toEqual({
      status: 202,
      headers: { location: `${base}?${access}`, 'retry-after': '10' },
      body: {
        id: 'my-run',
        statusQueryGetUri: `${base}?${access}`,
        sendEventPostUri: `${base}/raiseEvent/{eventName}?${access}`,
        terminatePostUri: `${base}/terminate?reason={text}&${access}`,
        rewindPostUri: `${base}/rewind?reason={text}&${access}`,
        suspendPostUri: `${base}/suspend?reason={text}&${access}`,
        resumePostUri: `${base}/resume?reason={text}&${access}`,
        purgeHistoryDeleteUri: `${base}?${access}`,
        restartPostUri: `${base}/restart?${access}`,
      },
    });
  });

  test('a start under the id of an active instance is answered 409', async () => {
    const host = await aHost();
    await host.begin('waitFor', { names: ['go'] }, 'busy');

    expect((await host.send('POST', 'orchestrators/waitFor/busy', {})).status).toBe(409);
  });

  test.each([
    ['an unknown orchestrator', 'orchestrators/absent'],
    ['an id with a hash', 'orchestrators/sequence/a%23b'],
    ['an id with a slash', 'orchestrators/sequence/a%2Fb'],
    ['an id with a line break', 'orchestrators/sequence/a%0Ab'],
    ['an id of an entity', 'orchestrators/sequence/@a@b'],
    ['an id of 101 characters', `orchestrators/sequence/${'x'.repeat(101)}`],
    ['a broken escape', 'orchestrators/sequence/%E0%A4%A'],
  ])('%s is answered 400', async (_, path) => {
    const host = await aHost();

    expect((await host.send('POST', path, {})).status).toBe(400);
  });

  test('a body that is not JSON is answered 400', async () => {
    const host = await aHost();
    const query = new URLSearchParams();
    const request = { method: 'POST', path: 'orchestrators/sequence', query };

    const answer = await host.host.manage({ ...request, contentType: undefined, body: '{' });

    expect(answer.status).toBe(400);
  });

  test('a start that waits is answered with the output, the failure, or the links', async () => {
    const host = await aHost();

    const done = await host.send('POST', 'orchestrators/sequence?timeout=5', { steps: [1] });
    const failure = await host.send('POST', 'orchestrators/throws?timeout=5', { message: 'no' });
    const late = await host.send('POST', 'orchestrators/waitFor?timeout=0.02', { names: ['x'] });

    expect(done).toEqual({ status: 200, body: [1] });
    expect(failure).toMatchObject({ status: 500, body: { runtimeStatus: 'Failed' } });
    expect(late.status).toBe(202);
  });

  test('a version given at the start is what the code sees', async () => {
    const host = await aHost({ options: { defaultVersion: '1.0' } });

    const chosen = await host.send('POST', 'orchestrators/whoAmI?version=3.2&timeout=5', {});
    const standard = await host.send('POST', 'orchestrators/whoAmI?timeout=5', {});

    expect(chosen.body).toMatchObject({ version: '3.2' });
    expect(standard.body).toMatchObject({ version: '1.0' });
  });

  test('a restart runs the same input again, under a new id or the same', async () => {
    const host = await aHost();
    await host.run('sequence', { steps: ['s'] }, 'origin');

    const fresh = await host.send('POST', 'instances/origin/restart');
    const same = await host.send('POST', 'instances/origin/restart?restartWithNewInstanceId=false');

    const { id } = fresh.body as { id: string };
    expect(id).not.toBe('origin');
    expect(same.body).toMatchObject({ id: 'origin' });
    expect((await host.end(id)).output).toEqual(['s']);
    expect((await host.end('origin')).output).toEqual(['s']);
    expect((await host.send('POST', 'instances/absent/restart')).status).toBe(400);
  });
});

describe('status', () => {
  test('an active instance is answered 202 with location, an ended one 200', async () => {
    const host = await aHost();
    const id = await host.begin('waitFor', { names: ['go'] });

    const active = await host.send('GET', `instances/${id}`);
    await host.raise(id, 'go', 1);
    await host.end(id);
    const ended = await host.send('GET', `instances/${id}`);

    expect(active.status).toBe(202);
    expect(active.headers).toMatchObject({ 'retry-after': '5' });
    expect(active.headers?.['location']).toContain(`/instances/${id}?`);
    expect(ended.status).toBe(200);
  });

  test('the body shows whole seconds, and input and history as asked', async () => {
    const at = Date.parse('2026-01-02T03:04:05.678Z');
    const host = await aHost({ deps: { now: () => at } });
    await host.run('call', { name: 'echo', input: 'secret' }, 'shown');

    const plain = await host.status('shown');
    const bare = await host.status('shown', '?showInput=false&showHistory=true');
    const full = await host.status('shown', '?showHistory=true&showHistoryOutput=true');

    expect(plain).toEqual({
      name: 'call',
      instanceId: 'shown',
      runtimeStatus: 'Completed',
      input: { name: 'echo', input: 'secret' },
      customStatus: null,
      output: 'secret',
      createdTime: '2026-01-02T03:04:05Z',
      lastUpdatedTime: '2026-01-02T03:04:05Z',
    });
    expect(bare.input).toBe(null);
    expect(JSON.stringify(bare.historyEvents)).not.toContain('secret');
    expect(full.historyEvents).toContainEqual({
      EventType: 'TaskCompleted',
      Timestamp: '2026-01-02T03:04:05.678Z',
      TaskScheduledId: 0,
      Result: '"secret"',
    });
  });

  test('a failed instance is 200, or 500 when asked for', async () => {
    const host = await aHost();
    await host.run('throws', { message: 'x' }, 'bad');

    const usual = await host.send('GET', 'instances/bad');
    const loud = await host.send('GET', 'instances/bad?returnInternalServerErrorOnFailure=true');

    expect([usual.status, loud.status]).toEqual([200, 500]);
  });

  test('the list is filtered by status, time and prefix, and paged by top', async () => {
    let at = Date.parse('2026-01-01T00:00:00Z');
    const host = await aHost({ deps: { now: () => at } });
    for (const id of ['a1', 'a2', 'b1']) {
      await host.run('sequence', { steps: [] }, id);
      at += 60_000;
    }
    await host.begin('waitFor', { names: ['go'] }, 'a3');
    const list = async (query: string) => {
      const answer = await host.send('GET', `instances${query}`);
      return (answer.body as StatusBody[]).map(({ instanceId }) => instanceId).join();
    };

    expect(await list('')).toBe('a1,a2,b1,a3');
    expect(await list('?runtimeStatus=Completed&instanceIdPrefix=a')).toBe('a1,a2');
    expect(await list('?runtimeStatus=Running,Pending')).toBe('a3');
    expect(
      await list('?createdTimeFrom=2026-01-01T00:01:00Z&createdTimeTo=2026-01-01T00:02:00Z'),
    ).toBe('a2,b1');
    const page = await host.send('GET', 'instances?top=3');
    expect((page.body as unknown[]).length).toBe(3);
    const rest = await host.host.manage({
      method: 'GET',
      path: 'instances/',
      query: new URLSearchParams({ top: '3' }),
      contentType: undefined,
      continuationToken: page.headers?.['x-ms-continuation-token'],
      body: '',
    });
    expect((rest.body as StatusBody[]).map(({ instanceId }) => instanceId)).toEqual(['a3']);
    expect(rest.headers).toBe(undefined);
    expect((await host.send('GET', 'instances?createdTimeFrom=yesterday')).status).toBe(400);
  });
});

describe('events and control', () => {
  const calls = ['raiseEvent/go', 'terminate?reason=x', 'suspend?reason=x', 'resume?reason=x'];

  test.each(calls)('%s of an unknown instance is 404, of an ended one 410', async (call) => {
    const host = await aHost();
    await host.run('sequence', { steps: [] }, 'over');

    const unknown = await host.send('POST', `instances/absent/${call}`, null);
    const ended = await host.send('POST', `instances/over/${call}`, null);

    expect([unknown.status, ended.status]).toEqual([404, 410]);
  });

  test('an event needs JSON and says so in its content type', async () => {
    const host = await aHost();
    const id = await host.begin('waitFor', { names: ['go'] });
    const path = `instances/${id}/raiseEvent/go`;

    const empty = await host.send('POST', path);
    const text = await host.send('POST', path, 1, 'text/plain');
    const good = await host.send('POST', path, 1, 'application/json; charset=utf-8');

    expect([empty.status, text.status, good.status]).toEqual([400, 400, 202]);
  });

  test('what the engine leaves out is answered 501, anything else unknown 404', async () => {
    const host = await aHost();
    const id = await host.begin('waitFor', { names: ['go'] });
    const status = async (method: string, path: string) => (await host.send(method, path)).status;

    expect(await status('POST', `instances/${id}/rewind?reason=x`)).toBe(501);
    expect(await status('GET', 'entities/counter/one')).toBe(501);
    expect(await status('POST', `instances/${id}/constructor`)).toBe(404);
    expect(await status('PUT', `instances/${id}`)).toBe(404);
    expect(await status('GET', 'makeprimary')).toBe(404);
    expect(await status('POST', `instances/${id}/terminate/twice`)).toBe(404);
  });
});

describe('purge', () => {
  test('a bulk purge needs a time and touches only finished instances', async () => {
    const host = await aHost();
    await host.run('sequence', { steps: [1] }, 'one');
    await host.run('throws', { message: 'x' }, 'two');
    await host.begin('waitFor', { names: ['go'] }, 'active');

    const untimed = await host.send('DELETE', 'instances/');
    const purged = await host.send('DELETE', 'instances/?createdTimeFrom=2020-01-01T00:00:00Z');
    const again = await host.send('DELETE', 'instances/?createdTimeFrom=2020-01-01T00:00:00Z');

    expect([untimed.status, again.status]).toEqual([400, 404]);
    expect(purged).toEqual({ status: 200, body: { instancesDeleted: 2 } });
    expect((await host.send('GET', 'instances/one')).status).toBe(404);
    expect((await host.send('GET', 'instances/active')).status).toBe(202);
    expect(await host.rowsLeft('one')).toBe(0);
  });

  test('purging an unknown instance is 404', async () => {
    const host = await aHost();

    expect((await host.send('DELETE', 'instances/absent')).status).toBe(404);
  });
});

test('a call that fails inside is answered 500 and logged, without the reason in the answer', async () => {
  let isBroken = false;
  const now = () => {
    if (isBroken) throw new Error('no clock');
    return 0;
  };
  const host = await aHost({ deps: { now } });
  isBroken = true;

  const answer = await host.send('POST', 'orchestrators/sequence', {});

  expect(answer.status).toBe(500);
  expect(JSON.stringify(answer.body)).not.toContain('no clock');
  expect(host.log.lines.map(({ event }) => event)).toContain('durable.call_failed');
});
