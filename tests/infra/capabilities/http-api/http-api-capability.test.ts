/** What is sent, and what comes back, against a real server on the loopback. */

import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { Invocation } from '../../../../core/ports/capability.ts';
import {
  type Answer,
  type HttpPeer,
  type SeenRequest,
  startHttpPeer,
  valuesOf,
} from '../../../peers/http/http-peer.ts';
import { anHttpApi, anInvocation, aTarget, inSession, perform } from './an-invocation.ts';

const peers: HttpPeer[] = [];
afterEach(async () => {
  for (const peer of peers.splice(0)) await peer.close();
});

async function aPeer(answer: Answer | ((request: SeenRequest) => Answer) = {}): Promise<HttpPeer> {
  const peer = await startHttpPeer(typeof answer === 'function' ? answer : () => answer);
  peers.push(peer);
  return peer;
}

/** Performs one command against a peer and tells what the peer saw. */
async function exchange(text: string, parts: Partial<Invocation> = {}, answer: Answer = {}) {
  const peer = await aPeer(answer);
  const outcome = await perform(anInvocation(aTarget(peer.port), text, parts));
  return { outcome, seen: peer.requests[0], count: peer.requests.length };
}

function withHeaders(headers: Record<string, string[] | string>): Partial<Invocation> {
  return { command: { type: 'http-api', headers } };
}

describe('the request', () => {
  test('has the method, path and query of the command and nothing the playbook did not ask for', async () => {
    const { outcome, seen } = await exchange('GET /get?x=1&y=%20 HTTP/1.1', {}, { body: 'hello' });

    expect(outcome).toEqual({ ok: true, values: { __svc_http_api_result__: 'hello' } });
    expect(seen).toMatchObject({ method: 'GET', url: '/get?x=1&y=%20' });
    expect(seen?.body.length).toBe(0);
    expect(seen?.lines.map(([name]) => name.toLowerCase())).toEqual([
      'host',
      'connection',
      'user-agent',
    ]);
  });

  test('is understood without leading slash and with whatever version', async () => {
    const { seen } = await exchange('  GET   get   HTTP1.1 ');

    expect(seen).toMatchObject({ method: 'GET', url: '/get' });
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PURGE'])(
    'may use the method %s, with a body',
    async (method) => {
      const { seen } = await exchange(`${method} /api/ HTTP/1.1`, { content: 'ä' });

      expect(seen).toMatchObject({ method, url: '/api/', body: Buffer.from('ä') });
      expect(valuesOf(seen, 'content-length')).toEqual(['2']);
    },
  );

  test('may be a GET with a body', async () => {
    const { seen } = await exchange('GET /search HTTP/1.1', { content: '{"q":1}' });

    expect(seen?.body.toString()).toBe('{"q":1}');
  });

  test('carries bytes that are no text unchanged', async () => {
    const bytes = Uint8Array.of(0, 255, 254, 10, 13);

    const { seen } = await exchange('POST / HTTP/1.1', { content: bytes });

    expect([...(seen?.body ?? [])]).toEqual([...bytes]);
  });

  test('says that a POST without body is empty', async () => {
    const { seen } = await exchange('POST / HTTP/1.1', { content: '' });

    expect(valuesOf(seen, 'content-length')).toEqual(['0']);
  });

  test.each([
    ['', 'Expected METHOD PATH VERSION, three fields without blanks inside; found 0 of them.'],
    ['GET /', 'Expected METHOD PATH VERSION, three fields without blanks inside; found 2 of them.'],
    [
      'GET /a b HTTP/1.1',
      'Expected METHOD PATH VERSION, three fields without blanks inside; found 4 of them.',
    ],
    ['G,T / HTTP/1.1', 'Expected METHOD PATH VERSION; "G,T" is not a usable method.'],
    ['CONNECT / HTTP/1.1', 'Expected METHOD PATH VERSION; "CONNECT" is not a usable method.'],
  ])('is refused, and not sent, when the command is "%s"', async (text, error) => {
    const { outcome, count } = await exchange(text);

    expect(outcome).toEqual({ ok: false, status: 'client_side_error', error });
    expect(count).toBe(0);
  });
});

describe('headers', () => {
  test('are sent with every value in order', async () => {
    const { seen } = await exchange(
      'GET / HTTP/1.1',
      withHeaders({ 'X-Many': ['one', 'two'], 'X-One': 'three', 'x-many': ['four'], Empty: [''] }),
    );

    expect(valuesOf(seen, 'x-many')).toEqual(['one', 'two', 'four']);
    expect(valuesOf(seen, 'x-one')).toEqual(['three']);
    expect(valuesOf(seen, 'empty')).toEqual(['']);
  });

  test('beyond ASCII are sent as UTF-8', async () => {
    const { seen } = await exchange('GET / HTTP/1.1', withHeaders({ 'X-Name': ['Zoë €'] }));

    const [value = ''] = valuesOf(seen, 'x-name');
    expect(Buffer.from(value, 'latin1').toString('utf8')).toBe('Zoë €');
  });

  test('of the playbook replace our own User-Agent', async () => {
    const { seen } = await exchange('GET / HTTP/1.1', withHeaders({ 'user-agent': ['mine'] }));

    expect(valuesOf(seen, 'user-agent')).toEqual(['mine']);
  });

  test('that frame the message or name the host are left to the client', async () => {
    const { seen, outcome } = await exchange('POST / HTTP/1.1', {
      ...withHeaders({
        Host: ['elsewhere'],
        'Content-Length': ['1'],
        'Transfer-Encoding': ['chunked'],
        Connection: ['close, X-Kept'],
        Upgrade: ['h2c'],
        Expect: ['100-continue'],
        'X-Kept': ['yes'],
      }),
      content: 'whole body',
    });

    expect(outcome.ok).toBe(true);
    expect(seen?.body.toString()).toBe('whole body');
    expect(valuesOf(seen, 'host')[0]).toMatch(/^127\.0\.0\.1:/);
    expect(valuesOf(seen, 'host')).toHaveLength(1);
    expect(valuesOf(seen, 'content-length')).toEqual(['10']);
    expect(valuesOf(seen, 'x-kept')).toEqual(['yes']);
    for (const name of ['transfer-encoding', 'upgrade', 'expect']) {
      expect(valuesOf(seen, name)).toEqual([]);
    }
  });

  test.each(['a\r\nX-Evil: 1', 'a\nb', 'a\0b'])(
    'with a line break are refused: %j',
    async (value) => {
      const { outcome, count } = await exchange('GET / HTTP/1.1', withHeaders({ 'X-A': [value] }));

      expect(outcome).toEqual({
        ok: false,
        status: 'client_side_error',
        error: 'The header X-A holds a line break or control character.',
      });
      expect(count).toBe(0);
    },
  );

  test('with a name that is none are refused', async () => {
    const { outcome } = await exchange('GET / HTTP/1.1', withHeaders({ 'X A:': ['1'] }));

    expect(outcome).toMatchObject({
      status: 'client_side_error',
      error: '"X A:" is not a header name.',
    });
  });
});

describe('the answer', () => {
  test.each([200, 201, 204, 299])('is a success with status %i', async (status) => {
    const { outcome } = await exchange('GET / HTTP/1.1', {}, { status });

    expect(outcome).toEqual({ ok: true, values: { __svc_http_api_result__: '' } });
  });

  test.each([
    [400, '{"error":"bad"}', 'HTTP 400 {"error":"bad"}'],
    [404, '', 'HTTP 404 Not Found'],
    [503, ' try later\n', 'HTTP 503 try later'],
    [300, 'choices', 'HTTP 300 choices'],
    [799, '', 'HTTP 799'],
  ])('is a failure with status %i and tells why', async (status, body, error) => {
    const { outcome } = await exchange('GET / HTTP/1.1', {}, { status, body });

    expect(outcome).toEqual({ ok: false, status: 'failed', error });
  });

  test('of a failure is shown up to one KiB, without cutting a character', async () => {
    const { outcome } = await exchange(
      'GET / HTTP/1.1',
      {},
      { status: 500, body: '€'.repeat(1000) },
    );

    expect(outcome).toMatchObject({ error: `HTTP 500 ${'€'.repeat(341)}` });
  });

  test('redirects are not followed', async () => {
    const answer = { status: 302, headers: { Location: '/elsewhere' } };

    const { outcome, count } = await exchange('GET / HTTP/1.1', {}, answer);

    expect(outcome).toMatchObject({ ok: false, error: 'HTTP 302 redirects are not followed' });
    expect(count).toBe(1);
  });

  test('is text, with bytes that are not UTF-8 replaced', async () => {
    const body = Buffer.from([0x61, 0xff, 0xc3, 0xa4, 0x0a]);

    const { outcome } = await exchange('GET / HTTP/1.1', {}, { body });

    expect(outcome).toEqual({ ok: true, values: { __svc_http_api_result__: 'a\ufffdä\n' } });
  });

  test('gives status and headers to steps that list them in out_args', async () => {
    const peer = await aPeer({ status: 201, headers: { 'X-A': ['1', '2'] }, body: 'b' });
    const outArgs = ['__svc_http_api_status__', '__svc_http_api_headers__'];

    const outcome = await perform(anInvocation(aTarget(peer.port), 'GET / HTTP/1.1', { outArgs }));

    const values = outcome.values ?? {};
    expect(values['__svc_http_api_status__']).toBe('201');
    expect(JSON.parse(values['__svc_http_api_headers__'] ?? '')).toMatchObject({
      'x-a': ['1', '2'],
      'content-length': '1',
    });
    expect(values['__svc_http_api_result__']).toBe('b');
  });

  test('is unpacked when the playbook asked for compression', async () => {
    const packed = { headers: { 'Content-Encoding': 'gzip' }, body: gzipSync('unpacked') };

    const { outcome } = await exchange('GET / HTTP/1.1', {}, packed);

    expect(outcome).toEqual({ ok: true, values: { __svc_http_api_result__: 'unpacked' } });
  });

  test('to HEAD has no body, whatever length it announces', async () => {
    const { outcome } = await exchange(
      'HEAD / HTTP/1.1',
      {},
      { headers: { 'Content-Length': '99' } },
    );

    expect(outcome).toEqual({ ok: true, values: { __svc_http_api_result__: '' } });
  });
});

describe('connections', () => {
  test('are kept from command to command and closed with the session', async () => {
    const peer = await aPeer((request) => ({ body: request.url }));
    const target = aTarget(peer.port);

    const outcomes = await inSession(anHttpApi(), async (session) => {
      const first = await session.perform(anInvocation(target, 'GET /1 HTTP/1.1'));
      const second = await session.perform(anInvocation(target, 'GET /2 HTTP/1.1'));
      expect(peer.connections()).toEqual({ made: 1, open: 1 });
      return [first, second];
    });
    await peer.allClosed();

    expect(outcomes.map((outcome) => outcome.values?.['__svc_http_api_result__'])).toEqual([
      '/1',
      '/2',
    ]);
    expect(peer.connections()).toEqual({ made: 1, open: 0 });
  });

  test('a session that did nothing ends without one', async () => {
    await expect(inSession(anHttpApi(), async () => 'done')).resolves.toBe('done');
  });
});

test('a command without target is refused', async () => {
  const { target: _none, ...invocation } = anInvocation(aTarget(1), 'GET / HTTP/1.1');

  expect(await perform(invocation)).toEqual({
    ok: false,
    status: 'client_side_error',
    error: 'The step has no target.',
  });
});
