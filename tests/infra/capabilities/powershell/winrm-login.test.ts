import { afterEach, describe, expect, test } from 'vitest';
import {
  startWinRmPeer,
  type WinRmPeer,
  type WinRmPeerOptions,
} from '../../../peers/winrm/winrm-peer.ts';
import { anInvocation, aTarget, perform } from './an-invocation.ts';

let peer: WinRmPeer | undefined;
afterEach(async () => {
  await peer?.stop();
  peer = undefined;
});

async function aPeer(parts: Partial<WinRmPeerOptions> = {}) {
  const run = () => ({ stdout: [Buffer.from('in')] });
  peer = await startWinRmPeer({ schemes: ['Negotiate'], run, ...parts });
  const scheme = parts.tls === true ? 'https' : 'http';
  return { peer, target: aTarget({ address: { url: [`${scheme}://localhost:${peer.port}/`] } }) };
}

describe('logging in', () => {
  test('with NTLM over plain HTTP seals every message', async () => {
    const { peer, target } = await aPeer();

    const outcome = await perform(anInvocation('x', { target }));

    expect(outcome.values?.['__svc_powershell_result__']).toBe('in');
    expect(new Set(peer.protections)).toEqual(new Set(['sealed']));
  });

  test('with NTLM over HTTPS ties the login to the certificate', async () => {
    const { peer, target } = await aPeer({ tls: true });

    const outcome = await perform(anInvocation('x', { target }), { skipCertificateCheck: true });

    expect(outcome.ok).toBe(true);
    expect(peer.refusals).toEqual([]);
  });

  test('works when the target spells the scheme NTLM', async () => {
    const { target } = await aPeer({ schemes: ['NTLM'] });

    expect(await perform(anInvocation('x', { target }))).toMatchObject({ ok: true });
  });

  test('with Basic works when the target offers nothing better', async () => {
    const { target } = await aPeer({ schemes: ['Basic'], tls: true });

    const outcome = await perform(anInvocation('x', { target }), { skipCertificateCheck: true });

    expect(outcome.ok).toBe(true);
  });

  test('prefers NTLM to Basic, so the password stays secret', async () => {
    const { peer, target } = await aPeer({ schemes: ['Basic', 'Negotiate'] });

    await perform(anInvocation('x', { target }));

    expect(new Set(peer.protections)).toEqual(new Set(['sealed']));
  });

  test('is repeated when the target closes the connection between two messages', async () => {
    const { target } = await aPeer({ answersPerConnection: 2 });

    expect(await perform(anInvocation('x', { target }))).toMatchObject({ ok: true });
  });

  test('works for an account of a domain', async () => {
    const { target } = await aPeer({ accounts: { 'CORP\\operator': 'pass wörd' } });
    const authentication = { type: 'user-auth', username: 'CORP\\operator', password: 'pass wörd' };

    expect(await perform(anInvocation('x', { target, authentication }))).toMatchObject({
      ok: true,
    });
  });
});

describe('a login that is refused', () => {
  const authentication = { type: 'user-auth', username: 'operator', password: 'wrong' };

  test.each([
    ['NTLM', { schemes: ['Negotiate'] as const }],
    ['Basic', { schemes: ['Basic'] as const, allowUnencrypted: true }],
  ])('with %s fails the command and names the account', async (_, parts) => {
    const { peer, target } = await aPeer(parts);

    const outcome = await perform(anInvocation('x', { target, authentication }));

    expect(outcome).toEqual({
      ok: false,
      status: 'failed',
      error: `localhost:${peer.port} refused the login of operator.`,
    });
    expect(peer.refusals).toEqual(['wrong password']);
  });

  test('because the certificate is not trusted fails the command', async () => {
    const { peer, target } = await aPeer({ tls: true });

    const outcome = await perform(anInvocation('x', { target }));

    expect(outcome).toMatchObject({
      ok: false,
      status: 'failed',
      error: `Cannot connect to localhost:${peer.port}: its certificate is not trusted.`,
    });
  });

  test('never falls back from a sealed session to an unsealed answer', async () => {
    const { peer, target } = await aPeer({
      interfere: () => ({ status: 200, contentType: 'application/soap+xml', body: '<forged/>' }),
    });

    const outcome = await perform(anInvocation('x', { target }));

    expect(outcome).toMatchObject({
      error: `localhost:${peer.port} answered HTTP 200, not WinRM.`,
    });
  });
});
