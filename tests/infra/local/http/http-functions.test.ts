/** HTTP functions in buffered mode, over the real library in a real host. */

import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  eventually,
  fixtureApp,
  type HostProcess,
  removeTemporary,
  startHostProcess,
} from '../host-process.ts';

const bodyLimit = 2048;
const hostLimit = bodyLimit + 1024 * 1024;
let host: HostProcess;

beforeAll(async () => {
  host = await startHostProcess(fixtureApp('http-app'), {
    MAX_BODY_BYTES: String(bodyLimit),
    FUNCTION_KEYS: 'key-1',
    MASTER_KEY: 'master',
  });
});
afterAll(async () => {
  await host.stop();
  removeTemporary();
});

const get = (path: string, init: RequestInit = {}) => fetch(`${host.url}${path}`, init);
const errorObject = (status: number, message: string, call: string) => ({
  status: String(status),
  message,
  'original-call': call,
});

describe('a request', () => {
  test('reaches its function with method, address, parameters, query, headers and body', async () => {
    const answer = await get('/echo/a%20b?q=1&q=2&r=x', {
      method: 'PUT',
      headers: { 'content-type': 'text/plain', 'x-own': 'one' },
      body: 'grüß',
    });

    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toMatchObject({
      method: 'PUT',
      url: `${host.url}/echo/a%20b?q=1&q=2&r=x`,
      params: { id: 'a b' },
      query: [
        ['q', '1,2'],
        ['r', 'x'],
      ],
      headers: { 'content-type': 'text/plain', 'x-own': 'one' },
      user: null,
      body: 'grüß',
    });
  });

  test('is served with and without a trailing slash, whatever the case of the route', async () => {
    const statuses = await Promise.all(
      ['/echo', '/echo/', '/ECHO/1', '/echo/1/', '/'].map(async (path) => (await get(path)).status),
    );

    expect(statuses).toEqual([200, 200, 200, 200, 200]);
  });

  test('in chunks arrives whole', async () => {
    const body = ReadableStream.from([Buffer.from('one '), Buffer.from('two')]);
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit;

    const answer = await get('/echo', init);

    expect(await answer.json()).toMatchObject({ body: 'one two' });
  });

  test('the rest of a path is one value, and an encoded slash stays encoded', async () => {
    expect(await (await get('/rest/a/b%20c/d%2Fe')).json()).toEqual({ path: 'a/b c/d%2Fe' });
  });

  test('an address that cannot be decoded reaches the function as it was sent', async () => {
    expect(await (await get('/rest/%zz/%ff')).json()).toEqual({ path: '%zz/%ff' });
  });

  test('an address that is none is answered with the error object', async () => {
    const answer = await raw('GET /a%00b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(
      errorObject(400, 'The address of the request cannot be decoded.', 'GET /a%00b'),
    );
  });

  test('that is not HTTP is answered with the error object', async () => {
    const answer = await raw('nonsense\r\n\r\n');

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ status: '400', message: 'The request is not valid HTTP.' });
  });

  test('cannot claim an identity that only the platform may state', async () => {
    const principal = Buffer.from('{"auth_typ":"aad","claims":[],"name_typ":"n","role_typ":"r"}');

    const answer = await get('/echo', {
      headers: {
        'X-MS-CLIENT-PRINCIPAL': principal.toString('base64'),
        'x-ms-client-principal-name': 'admin',
      },
    });

    const { user, headers } = (await answer.json()) as { user: unknown; headers: object };
    expect(user).toBeNull();
    expect(Object.keys(headers).filter((name) => name.includes('principal'))).toEqual([]);
  });

  test('for an unknown path or with the wrong method is not found', async () => {
    const unknown = await get('/nowhere');
    const wrong = await get('/made');
    const head = await get('/echo', { method: 'HEAD' });
    const options = await get('/echo', { method: 'OPTIONS' });

    expect([unknown, wrong, head, options].map(({ status }) => status)).toEqual([
      404, 404, 404, 404,
    ]);
    expect(await unknown.json()).toEqual(
      errorObject(404, 'There is nothing at /nowhere.', 'GET /nowhere'),
    );
  });
});

describe('an answer', () => {
  test('carries status, headers, cookies and bytes', async () => {
    const answer = await get('/made', { method: 'POST' });

    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe('/made/1');
    expect(answer.headers.getSetCookie()).toEqual([
      'a=1; Path=/; HttpOnly; SameSite=Strict',
      'b=2',
    ]);
    expect([...(await answer.bytes())]).toEqual([0, 1, 255]);
  });

  test('gets the headers of host.json unless the function sets them itself', async () => {
    const answer = await get('/made', { method: 'POST' });

    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('x-kind')).toBe('app');
    expect(answer.headers.get('strict-transport-security')).toBeNull();
  });

  test('to HEAD has a length and no body', async () => {
    const answer = await get('/made', { method: 'HEAD' });

    expect(answer.status).toBe(201);
    expect(answer.headers.get('content-length')).toBe('3');
    expect((await answer.bytes()).length).toBe(0);
  });

  test('is 204 when the function returns nothing', async () => {
    const answer = await get('/nothing');

    expect(answer.status).toBe(204);
    expect(await answer.text()).toBe('');
  });

  test('with a status that allows no body has none', async () => {
    const answer = await get('/emptied');

    expect(answer.status).toBe(204);
    expect(answer.headers.get('content-length')).toBeNull();
  });

  test('is an empty 500 when the function throws; what it threw is in the log', async () => {
    const answer = await get('/throws');

    expect(answer.status).toBe(500);
    expect(await answer.text()).toBe('');
    const line = await eventually(async () =>
      host.log().find(({ msg }) => msg === 'function.failed'),
    );
    expect(line).toMatchObject({ level: 'error', function: 'throws' });
    expect(JSON.stringify(line)).toContain('a secret');
  });
});

describe('a body that is too large', () => {
  test('is refused by its announced length before it is sent', async () => {
    const outgoing = request(`${host.url}/echo`, {
      method: 'POST',
      headers: { 'content-length': hostLimit + 1, expect: '100-continue' },
    });
    outgoing.flushHeaders();
    let invited = false;
    outgoing.once('continue', () => {
      invited = true;
    });

    const [answer] = await once(outgoing, 'response');
    outgoing.destroy();

    expect(answer.statusCode).toBe(413);
    expect(invited).toBe(false);
  });

  test('is refused while it arrives in chunks', async () => {
    const outgoing = request(`${host.url}/echo`, { method: 'POST' });
    const answered = once(outgoing, 'response');
    outgoing.on('error', () => undefined);
    for (let sent = 0; sent <= hostLimit; sent += 65_536) outgoing.write(Buffer.alloc(65_536));

    const [answer] = await answered;
    const body = Buffer.concat(await answer.toArray()).toString();
    outgoing.destroy();

    expect(answer.statusCode).toBe(413);
    expect(JSON.parse(body)).toEqual(
      errorObject(413, `The body of the request is larger than ${hostLimit} bytes.`, 'POST /echo'),
    );
  });

  test('does not keep a smaller one with a question before it from passing', async () => {
    const outgoing = request(`${host.url}/echo`, {
      method: 'POST',
      headers: { 'content-length': 5, expect: '100-continue' },
    });
    outgoing.flushHeaders();
    await once(outgoing, 'continue');
    outgoing.end('hello');

    const [answer] = await once(outgoing, 'response');

    expect(JSON.parse(Buffer.concat(await answer.toArray()).toString())).toMatchObject({
      body: 'hello',
    });
  });
});

describe('a function with a key', () => {
  test.each([
    ['/keyed', {}, 401],
    ['/keyed', { 'x-functions-key': 'wrong' }, 401],
    ['/keyed', { 'x-functions-key': 'key-1' }, 200],
    ['/keyed?code=key-1', {}, 200],
    ['/keyed?code=master', {}, 200],
    ['/adminish?code=key-1', {}, 401],
    ['/adminish', { 'x-functions-key': 'master' }, 200],
  ])('%s with %j is answered %i', async (path, headers, status) => {
    expect((await get(path, { headers })).status).toBe(status);
  });
});

describe('a client that goes away', () => {
  test('does not end the function it called', async () => {
    const leaving = new AbortController();
    const call = get('/wait', { method: 'POST', signal: leaving.signal }).catch(() => 'left');
    await eventually(async () => ((await seen()).waiting === 1 ? true : undefined));

    leaving.abort();
    expect(await call).toBe('left');
    await get('/release', { method: 'POST' });

    expect(await eventually(async () => ((await seen()).done === 1 ? true : undefined))).toBe(true);
  });
});

async function seen(): Promise<{ waiting: number; done: number }> {
  return (await get('/seen')).json() as Promise<{ waiting: number; done: number }>;
}

async function raw(text: string): Promise<{ status: number; body: unknown }> {
  const socket = connect(host.port, 'localhost');
  socket.write(text);
  const answer = Buffer.concat(await socket.toArray()).toString();
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) };
}
