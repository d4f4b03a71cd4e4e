/** What happens when the server, or the target, is not what the command needs. */

import { describe, expect, test } from 'vitest';
import { API_KEY, LASTING_ABILITY, startCalderaPeer } from '../../../peers/caldera/caldera-peer.ts';
import { anInvocation, aPeer, perform } from './a-caldera-command.ts';

describe('a server that cannot be used', () => {
  test('with another API key fails the command', async () => {
    await aPeer();

    const outcome = await perform(anInvocation(LASTING_ABILITY), { apiKey: 'wrong' });

    expect(outcome).toEqual({ ok: false, status: 'failed', error: 'Caldera refused the API key.' });
  });

  test('that is not configured fails the command before anything is sent', async () => {
    const outcome = await perform(anInvocation(LASTING_ABILITY), { server: undefined });

    expect(outcome).toEqual({
      ok: false,
      status: 'client_side_error',
      error: 'No Caldera server is configured.',
    });
  });

  test('that refuses the connection fails the command with its address', async () => {
    const gone = await startCalderaPeer({ links: [] });
    await gone.stop();

    const outcome = await perform(anInvocation(LASTING_ABILITY), { port: gone.port });

    expect(outcome).toMatchObject({
      ok: false,
      status: 'failed',
      error: `Cannot reach Caldera at 127.0.0.1:${gone.port}: connection refused.`,
    });
  });

  test('with a name nobody knows fails the command', async () => {
    const server = { url: 'http://no-such-host.invalid:8888', apiKey: API_KEY };

    const outcome = await perform(anInvocation(LASTING_ABILITY), { server });

    expect(outcome).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^Cannot reach Caldera at no-such-host\.invalid:8888: the/),
    });
  });

  test.each([
    ['HTML', '<html></html>', 'Caldera answered something that is not JSON.'],
    ['no id', {}, 'Caldera answered POST /adversaries without adversary_id.'],
    ['a list', [], 'Caldera answered POST /adversaries without adversary_id.'],
  ])('and answers %s fails the command', async (_, body, error) => {
    await aPeer({ interfere: () => ({ status: 200, body }) });

    const outcome = await perform(anInvocation(LASTING_ABILITY));

    expect(outcome).toEqual({ ok: false, status: 'failed', error });
  });

  test('with a certificate nobody vouches for is refused unless checks are off', async () => {
    const peer = await aPeer({ tls: true });
    const server = { url: `https://127.0.0.1:${peer.port}`, apiKey: API_KEY };

    const strict = await perform(anInvocation(LASTING_ABILITY), { server });
    const lenient = await perform(anInvocation(LASTING_ABILITY), {
      server,
      skipCertificateCheck: true,
    });

    expect(strict).toMatchObject({
      error: `Cannot reach Caldera at 127.0.0.1:${peer.port}: its certificate is not trusted.`,
    });
    expect(lenient.ok).toBe(true);
  });
});

describe('a target that is no group of agents', () => {
  test.each([
    ['of another type', { type: 'net-address', name: 'red', category: ['caldera'] }],
    ['of another category', { type: 'security-category', name: 'red', category: ['siem'] }],
    ['without name', { type: 'security-category', name: ' ', category: ['caldera'] }],
  ])('%s is refused, because an empty group would mean every agent', async (_, target) => {
    const outcome = await perform(anInvocation(LASTING_ABILITY, { target }), { port: 1 });

    expect(outcome).toEqual({
      ok: false,
      status: 'client_side_error',
      error: 'The target must be a security-category with category caldera, named after its group.',
    });
  });
});
