/** HTTP functions in streaming mode, over the real library in a real host. */

import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  eventually,
  fixtureApp,
  type HostProcess,
  removeTemporary,
  startHostProcess,
} from '../host-process.ts';
import { listeningSockets } from '../listening-sockets.ts';

const bodyLimit = 2048;
let host: HostProcess;

beforeAll(async () => {
  host = await startHostProcess(fixtureApp('stream-app'), { MAX_BODY_BYTES: String(bodyLimit) });
});
afterAll(async () => {
  await host.stop();
  removeTemporary();
});

const get = (path: string, init: RequestInit = {}) => fetch(`${host.url}${path}`, init);
const next = () => get('/next', { method: 'POST' });
type Seen = { uploads: number; failed: number; done: number };
const seen = async () => (await (await get('/seen')).json()) as Seen;

describe('in streaming mode', () => {
  test('events arrive one by one, while the function still runs', async () => {
    const answer = await get('/events');
    const received: string[] = [];

    for await (const piece of answer.body ?? []) {
      received.push(Buffer.from(piece).toString());
      if (received.length < 3) await next();
    }

    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(received).toEqual(['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n']);
  });

  test('an upload in pieces is read as a stream, with parameters, query and headers', async () => {
    const body = ReadableStream.from([Buffer.from('one'), Buffer.from('two')]);
    const headers = { 'x-from': 'test', 'x-ms-client-principal': 'e30=' };
    const init = { method: 'POST', body, duplex: 'half', headers } as RequestInit;

    const answer = await get('/upload/report%20a?q=1&q=2', init);

    expect(await answer.json()).toEqual({
      name: 'report a',
      query: ['1', '2'],
      from: 'test',
      total: 6,
      url: `${host.url}/upload/report%20a?q=1&q=2`,
      user: null,
    });
  });

  test('cookies and headers of the function and of host.json arrive', async () => {
    const answer = await get('/cookie');

    expect(answer.headers.getSetCookie()).toEqual(['a=1']);
    expect(answer.headers.get('x-kind')).toBe('app');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('x-ms-invocation-id')).toBeNull();
    expect(await answer.text()).toBe('x');
  });

  test('a function that returns nothing is answered 204, one that throws an empty 500', async () => {
    const nothing = await get('/nothing');
    const thrown = await get('/throws');

    expect([nothing.status, await nothing.text()]).toEqual([204, '']);
    expect([thrown.status, await thrown.text()]).toEqual([500, '']);
  });

  test('a function that throws before it reads the upload leaves the connection usable', async () => {
    const statuses: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const answer = await get('/throws', { method: 'POST', body: Buffer.alloc(500_000) });
      await answer.arrayBuffer();
      statuses.push(answer.status);
    }

    expect(statuses).toEqual([500, 500, 500]);
  });

  test('a function may answer without reading the upload', async () => {
    const answer = await get('/unread', { method: 'POST', body: Buffer.alloc(500_000) });

    expect([answer.status, await answer.text()]).toEqual([202, 'not read']);
  });

  test('an answer that breaks off in the middle breaks off at the client too', async () => {
    const answer = await get('/breaks');
    const reader = answer.body?.getReader();
    const first = await reader?.read();
    await next();

    expect(Buffer.from(first?.value ?? []).toString()).toBe('first');
    await expect(reader?.read()).rejects.toThrow();
  });

  test('an upload beyond the limit is refused while it arrives, and its function sees it fail', async () => {
    const before = await seen();
    const limit = bodyLimit + 1024 * 1024;
    const outgoing = request(`${host.url}/upload/big`, { method: 'POST' });
    const answered = once(outgoing, 'response');
    outgoing.on('error', () => undefined);
    for (let sent = 0; sent <= limit; sent += 65_536) outgoing.write(Buffer.alloc(65_536));

    const [answer] = await answered;
    const body = Buffer.concat(await answer.toArray()).toString();
    outgoing.destroy();

    expect(answer.statusCode).toBe(413);
    expect(JSON.parse(body)).toMatchObject({ status: '413', 'original-call': 'POST /upload/big' });
    const failed = before.failed + 1;
    expect(
      await eventually(async () => ((await seen()).failed === failed ? true : undefined)),
    ).toBe(true);
  });

  test('a client that leaves in the middle of its upload makes the function fail, not hang', async () => {
    const before = await seen();
    const outgoing = request(`${host.url}/upload/half`, {
      method: 'POST',
      headers: { 'content-length': 1000 },
    });
    outgoing.on('error', () => undefined);
    outgoing.write('half');
    const started = before.uploads + 1;
    await eventually(async () => ((await seen()).uploads === started ? true : undefined));

    outgoing.destroy();

    const done = before.done + 1;
    expect(await eventually(async () => ((await seen()).done === done ? true : undefined))).toBe(
      true,
    );
  });

  test('a client that leaves a stream of events leaves the host in good health', async () => {
    const leaving = new AbortController();
    const answer = await get('/events', { signal: leaving.signal });
    await answer.body?.getReader().read();

    leaving.abort();
    await next();
    await next();

    expect((await get('/cookie')).status).toBe(200);
  });

  // Reading the table of sockets needs Linux.
  test.runIf(process.platform === 'linux')(
    "the library's own port is open to this machine only",
    async () => {
      const others = (await listeningSockets(host.pid)).filter(({ port }) => port !== host.port);

      expect(others.map(({ address }) => address)).toEqual(['127.0.0.1']);
    },
  );
});
