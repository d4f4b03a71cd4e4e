/** Networks and servers that misbehave, against real sockets on the loopback. */

import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { AgentTarget } from '../../../../core/cacao/playbook.ts';
import { startHttpPeer } from '../../../peers/http/http-peer.ts';
import { startRawPeer } from '../../../peers/http/raw-peer.ts';
import { anHttpApi, anInvocation, aTarget, inSession, perform, timeIsUp } from './an-invocation.ts';

const peers: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const peer of peers.splice(0)) await peer.close();
});

async function aPeer(...given: Parameters<typeof startHttpPeer>) {
  const peer = await startHttpPeer(...given);
  peers.push(peer);
  return peer;
}

async function aRawPeer(...given: Parameters<typeof startRawPeer>) {
  const peer = await startRawPeer(...given);
  peers.push(peer);
  return peer;
}

async function freePort(): Promise<number> {
  const peer = await startRawPeer();
  await peer.close();
  return peer.port;
}

function get(target: AgentTarget, options: Parameters<typeof perform>[1] = {}) {
  return perform(anInvocation(target, 'GET /path?secret=1 HTTP/1.1'), options);
}

describe('a target that cannot be reached', () => {
  test('fails the command and names host and port when it refuses connections', async () => {
    const port = await freePort();

    expect(
      await get(aTarget(port, { address: { url: [`http://u:pw@127.0.0.1:${port}`] } })),
    ).toEqual({
      ok: false,
      status: 'failed',
      error: `The request to http://127.0.0.1:${port} failed: connection refused.`,
    });
  });

  test('fails the command when there is no such name', async () => {
    const outcome = await get({
      type: 't',
      name: 't',
      address: { dname: ['no-such-host.invalid'] },
    });

    expect(outcome).toMatchObject({ ok: false, status: 'failed' });
    expect(outcome).toHaveProperty(
      'error',
      expect.stringMatching(
        /^The request to http:\/\/no-such-host\.invalid:80 failed: (there is no such name|the name could not be looked up)\.$/,
      ),
    );
  });

  test('is tried at its next address', async () => {
    const port = await freePort();
    const peer = await aPeer(() => ({ body: 'here' }));
    const url = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peer.port}`];

    expect(await get(aTarget(0, { address: { url } }))).toMatchObject({ ok: true });
  });

  test('fails with all its addresses named when none answers', async () => {
    const [one, two] = [await freePort(), await freePort()];
    const url = [`http://127.0.0.1:${one}`, `http://127.0.0.1:${two}`];

    expect(await get(aTarget(0, { address: { url } }))).toHaveProperty(
      'error',
      `The request to http://127.0.0.1:${one} failed: connection refused. ` +
        `The request to http://127.0.0.1:${two} failed: connection refused.`,
    );
  });

  test('is not tried elsewhere once a request may have been received', async () => {
    const broken = await aRawPeer((socket) => socket.destroy());
    const peer = await aPeer(() => ({}));
    const url = [`http://127.0.0.1:${broken.port}`, `http://127.0.0.1:${peer.port}`];

    expect(await get(aTarget(0, { address: { url } }))).toMatchObject({
      ok: false,
      status: 'failed',
    });
    expect(peer.requests).toEqual([]);
    expect(broken.connections()).toBe(1);
  });
});

describe('TLS', () => {
  test('with a certificate nobody vouches for fails the command, and nothing is sent', async () => {
    const peer = await aPeer(() => ({}), { tls: true });

    expect(await get(aTarget(0, { address: { url: [`https://127.0.0.1:${peer.port}`] } }))).toEqual(
      {
        ok: false,
        status: 'failed',
        error: `The request to https://127.0.0.1:${peer.port} failed: the certificate is self-signed.`,
      },
    );
    expect(peer.requests).toEqual([]);
  });

  test('with such a certificate is accepted when checks are off', async () => {
    const peer = await aPeer(() => ({ body: 'over tls' }), { tls: true });
    const target = aTarget(0, { address: { dname: ['localhost'] }, port: String(peer.port) });

    expect(await get(target, { skipCertificateCheck: true })).toEqual({
      ok: true,
      values: { __svc_http_api_result__: 'over tls' },
    });
  });

  test('fails the command when the other side does not speak it', async () => {
    const peer = await aRawPeer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const target = aTarget(0, { address: { ipv4: ['127.0.0.1'] }, port: String(peer.port) });

    expect(await get(target)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('does not speak TLS'),
    });
  });
});

describe('time', () => {
  test.each([
    ['nothing is answered', ''],
    ['the body stops halfway', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'],
  ])('that is up while %s ends the command as a timeout', async (_when, sent) => {
    const peer = await aRawPeer((socket) => socket.write(sent));
    const step = new AbortController();
    const target = aTarget(peer.port);

    const running = perform(anInvocation(target, 'GET / HTTP/1.1', { signal: step.signal }));
    await peer.asked;
    step.abort(timeIsUp());

    expect(await running).toEqual({
      ok: false,
      status: 'timeout_error',
      error: `The request to http://127.0.0.1:${peer.port} was not answered before the time of the step was up.`,
    });
    await peer.hungUp;
  });

  test('that is up while a connection is being made ends the command at once', async () => {
    const silent = await aRawPeer();
    const step = new AbortController();
    const target = aTarget(0, { address: { url: [`https://127.0.0.1:${silent.port}`] } });

    const running = perform(anInvocation(target, 'GET / HTTP/1.1', { signal: step.signal }));
    await silent.asked;
    step.abort(timeIsUp());

    expect(await running).toMatchObject({ status: 'timeout_error' });
    await silent.hungUp;
  });

  test('given by the signal of a real clock is kept', async () => {
    const peer = await aRawPeer();
    const signal = AbortSignal.timeout(50);

    const outcome = await perform(anInvocation(aTarget(peer.port), 'GET / HTTP/1.1', { signal }));

    expect(outcome).toMatchObject({ status: 'timeout_error' });
  });

  test('cancelled by an operator is a failure that says so', async () => {
    const peer = await aRawPeer();
    const run = new AbortController();

    const running = perform(
      anInvocation(aTarget(peer.port), 'GET / HTTP/1.1', { signal: run.signal }),
    );
    await peer.asked;
    run.abort();

    expect(await running).toEqual({
      ok: false,
      status: 'failed',
      error: `The request to http://127.0.0.1:${peer.port} was cancelled.`,
    });
  });

  test('that is up beforehand lets nothing be sent', async () => {
    const peer = await aPeer(() => ({}));
    const signal = AbortSignal.abort(timeIsUp());

    const outcome = await perform(anInvocation(aTarget(peer.port), 'GET / HTTP/1.1', { signal }));

    expect(outcome).toMatchObject({ status: 'timeout_error' });
    expect(peer.requests).toEqual([]);
  });
});

describe('answers', () => {
  test('that are not HTTP fail the command', async () => {
    const peer = await aRawPeer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));

    expect(await get(aTarget(peer.port))).toEqual({
      ok: false,
      status: 'failed',
      error: `The request to http://127.0.0.1:${peer.port} failed: the answer is not HTTP.`,
    });
  });

  test.each([
    ['a stated length', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'],
    ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
  ])('that break off before their end, with %s, fail the command', async (_framing, sent) => {
    const peer = await aRawPeer((socket) => socket.end(sent));

    expect(await get(aTarget(peer.port))).toMatchObject({ ok: false, status: 'failed' });
  });

  test('that refuse and then break off still tell the refusal', async () => {
    const peer = await aRawPeer((socket) =>
      socket.end('HTTP/1.1 500 Oops\r\nContent-Length: 100\r\n\r\nbecause'),
    );

    expect(await get(aTarget(peer.port))).toMatchObject({ error: 'HTTP 500 because' });
  });

  test('with too many headers fail the command', async () => {
    const peer = await aRawPeer((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`),
    );

    expect(await get(aTarget(peer.port))).toMatchObject({
      error: expect.stringContaining('the headers of the answer are too large'),
    });
  });

  test('that come in drops are read to their end', async () => {
    const text = 'slowly but surely';
    const peer = await aRawPeer((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n`);
      const drip = (index: number) => {
        if (index === text.length) return;
        socket.write(text.charAt(index), () => setImmediate(drip, index + 1));
      };
      drip(0);
    });

    expect(await get(aTarget(peer.port))).toEqual({
      ok: true,
      values: { __svc_http_api_result__: text },
    });
  });

  test('of 5 MB are taken whole', async () => {
    const body = 'ä'.repeat(2_500_000);
    const peer = await aPeer(() => ({ body }));

    const outcome = await get(aTarget(peer.port));

    expect(outcome.values?.['__svc_http_api_result__'] === body).toBe(true);
  });

  test('of 10 MiB are taken, and one byte more is too much', async () => {
    const body = Buffer.alloc(10 * 1_024 * 1_024 + 1, 'a');
    const peer = await aPeer(({ url }) => ({ body: url === '/most' ? body.subarray(1) : body }));
    const target = aTarget(peer.port);

    const [most, over] = await inSession(anHttpApi(), async (session) => [
      await session.perform(anInvocation(target, 'GET /most HTTP/1.1')),
      await session.perform(anInvocation(target, 'GET /over HTTP/1.1')),
    ]);
    await peer.allClosed();

    expect(most?.values?.['__svc_http_api_result__']?.length).toBe(10 * 1_024 * 1_024);
    expect(over).toEqual({
      ok: false,
      status: 'failed',
      error: 'The answer is larger than 10 MiB; it was not read to its end.',
    });
  });

  test('that never end are given up at the limit', async () => {
    const peer = await aRawPeer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const pour = () => socket.write('x'.repeat(1_000), (error) => error ?? setImmediate(pour));
      pour();
    });

    expect(await get(aTarget(peer.port), { maxResponseBytes: 4_096 })).toMatchObject({
      error: 'The answer is larger than 4096 bytes; it was not read to its end.',
    });
    await peer.hungUp;
  });

  test('that unpack to more than the limit are refused', async () => {
    const bomb = { headers: { 'Content-Encoding': 'gzip' }, body: gzipSync(Buffer.alloc(100_000)) };
    const peer = await aPeer(() => bomb);

    expect(await get(aTarget(peer.port), { maxResponseBytes: 4_096 })).toMatchObject({
      error: 'The answer is larger than 4096 bytes; it was not read to its end.',
    });
  });

  test('that say they are packed and are not fail the command', async () => {
    const peer = await aPeer(() => ({ headers: { 'Content-Encoding': 'gzip' }, body: 'plain' }));

    expect(await get(aTarget(peer.port))).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('the answer cannot be unpacked'),
    });
  });
});

describe('an egress policy', () => {
  test('refuses an address before anything is connected', async () => {
    const peer = await aRawPeer();

    const outcome = await get(aTarget(peer.port), { allows: () => false });

    expect(outcome).toEqual({
      ok: false,
      status: 'client_side_error',
      error: `The request to http://127.0.0.1:${peer.port} failed: connections to it are not allowed.`,
    });
    expect(peer.connections()).toBe(0);
  });

  test('judges a name by the address it resolves to', async () => {
    const peer = await aPeer(() => ({ body: 'in' }));
    const asked: unknown[] = [];
    const target = aTarget(0, { address: { url: [`http://localhost:${peer.port}`] } });

    const outcome = await get(target, {
      allows: (destination) => {
        asked.push(destination);
        return destination.address === '127.0.0.1';
      },
    });

    expect(outcome).toMatchObject({ ok: true });
    expect(asked).toContainEqual({ host: 'localhost', address: '127.0.0.1', port: peer.port });
  });
});
