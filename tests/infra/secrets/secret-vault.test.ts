/** References resolved from the environment, and from a vault that speaks the REST API of Azure Key Vault. */

import { afterEach, describe, expect, test, vi } from 'vitest';
import type { SecretConfig } from '../../../core/config/config.ts';
import type { TokenSource } from '../../../infra/capabilities/oauth2/token-source.ts';
import { createSecretVault } from '../../../infra/secrets/create-secret-vault.ts';
import { createKeyVault, vaultResource } from '../../../infra/secrets/key-vault.ts';
import { type HttpPeer, startHttpPeer, valuesOf } from '../../peers/http/http-peer.ts';

const peers: HttpPeer[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const peer of peers.splice(0)) await peer.close();
});

const noEnd = new AbortController().signal;

function aVault(more: Partial<SecretConfig> = {}) {
  return createSecretVault({
    config: {
      environmentPrefix: 'SECRET_',
      environment: { SECRET_EDR: 'hunter22' },
      keyVaultUrl: undefined,
      ...more,
    },
    clock: { now: () => 0 },
  });
}

const refused = (error: string) => ({ ok: false, status: 'client_side_error', error });

describe('env:', () => {
  test('names a variable that is open to playbooks', async () => {
    expect(await aVault().resolve('env:SECRET_EDR', noEnd)).toEqual({
      ok: true,
      value: 'hunter22',
    });
  });

  test.each([
    ['env:DB_PASSWORD', 'Playbooks may refer to variables that begin with SECRET_ only.'],
    ['env:SECRET_NONE', 'There is no secret in the environment variable SECRET_NONE.'],
    ['env:constructor', 'Playbooks may refer to variables that begin with SECRET_ only.'],
    ['env:', expect.stringContaining('env:NAME')],
    ['env:A B', expect.stringContaining('env:NAME')],
    ['env:A\nB', expect.stringContaining('env:NAME')],
  ])('refuses %j', async (reference, error) => {
    expect(await aVault().resolve(reference, noEnd)).toEqual(refused(error));
  });
});

test('what is at hand can be hidden without asking', () => {
  const vault = aVault({ keyVaultUrl: 'https://soc.vault.azure.net' });

  expect(vault.peek('env:SECRET_EDR')).toBe('hunter22');
  expect(vault.peek('env:SECRET_NONE')).toBeUndefined();
  expect(vault.peek('keyvault:never-read')).toBeUndefined();
  expect(vault.peek('nonsense')).toBeUndefined();
});

describe('references to a key vault', () => {
  const shape = expect.stringContaining('A reference to a secret reads');
  const keyVaultUrl = 'https://soc.vault.azure.net';
  const elsewhere = 'Playbooks may refer to secrets of the configured key vault only.';

  test.each([
    ['keyvault:', shape],
    ['keyvault:a/b/c', shape],
    ['keyvault:..', shape],
    ['keyvault:a?b', shape],
    ['@Microsoft.KeyVault()', shape],
    ['@Microsoft.KeyVault(SecretUri=https://soc.vault.azure.net/keys/a)', shape],
    ['@Microsoft.KeyVault(SecretUri=https://other.vault.azure.net/secrets/a)', elsewhere],
    [
      '@Microsoft.KeyVault(SecretUri=https://soc.vault.azure.net.evil.example/secrets/a)',
      elsewhere,
    ],
    ['@Microsoft.KeyVault(VaultName=other;SecretName=a)', elsewhere],
  ])('refuse %j', async (reference, error) => {
    expect(await aVault({ keyVaultUrl }).resolve(reference, noEnd)).toEqual(refused(error));
  });

  test('need a vault', async () => {
    expect(await aVault().resolve('keyvault:edr', noEnd)).toEqual(
      refused('The secret is in a key vault, but KEY_VAULT_URL names none.'),
    );
  });
});

test('the resource of a vault is its domain, in every cloud', () => {
  expect(vaultResource('https://soc.vault.azure.net')).toBe('https://vault.azure.net');
  expect(vaultResource('https://x.vault.usgovcloudapi.net')).toBe(
    'https://vault.usgovcloudapi.net',
  );
});

describe('a key vault', () => {
  /** Holds `edr` in two versions; strict about the path, the API version and the token. */
  async function aPeer() {
    const secrets = new Map([
      ['/secrets/edr', 'newest'],
      ['/secrets/edr/1', 'first'],
    ]);
    const peer = await startHttpPeer(
      (request) => {
        const url = new URL(request.url, 'http://vault');
        const [token] = valuesOf(request, 'authorization');
        if (request.method !== 'GET' || url.searchParams.get('api-version') !== '7.4') {
          return { status: 400 };
        }
        if (token !== 'Bearer good') return { status: token === 'Bearer reader' ? 403 : 401 };
        if (url.pathname === '/secrets/broken') return { body: '{"value":42}' };
        if (url.pathname === '/secrets/busy') return { status: 503 };
        const value = secrets.get(url.pathname);
        if (value === undefined) return { status: 404, body: '{"error":{}}' };
        return { body: JSON.stringify({ value, id: `https://vault${url.pathname}` }) };
      },
      { tls: true },
    );
    peers.push(peer);
    return { peer, secrets, url: `https://127.0.0.1:${peer.port}` };
  }

  const tokens = (token: string): TokenSource => ({
    acquire: async () => ({ ok: true, token }),
    forget: () => {},
  });

  function at(url: string, clock = { now: () => 0 }, token = 'good') {
    return createKeyVault({ url, clock, tokens: tokens(token), skipCertificateCheck: true });
  }

  test('gives the newest version, or the one asked for', async () => {
    const { url } = await aPeer();

    expect(await at(url).read({ secret: 'edr', version: undefined }, noEnd)).toEqual({
      ok: true,
      value: 'newest',
    });
    expect(await at(url).read({ secret: 'edr', version: '1' }, noEnd)).toEqual({
      ok: true,
      value: 'first',
    });
  });

  test('is asked once a minute, and again at once after a refusal', async () => {
    const { peer, secrets, url } = await aPeer();
    let nowMs = 0;
    const vault = at(url, { now: () => nowMs });
    const read = (secret: string) => vault.read({ secret, version: undefined }, noEnd);

    await read('edr');
    await read('edr');
    const askedOnce = peer.requests.length;
    secrets.set('/secrets/edr', 'rotated');
    nowMs = 60_000;
    const rotated = await read('edr');
    await read('late');
    secrets.set('/secrets/late', 'here');
    const late = await read('late');

    expect(askedOnce).toBe(1);
    expect(vault.lastRead({ secret: 'edr', version: undefined })).toBe('rotated');
    expect(vault.lastRead({ secret: 'edr', version: '1' })).toBeUndefined();
    expect(rotated).toEqual({ ok: true, value: 'rotated' });
    expect(late).toEqual({ ok: true, value: 'here' });
  });

  test.each([
    ['nothing', 'good', 'client_side_error', 'There is no secret nothing in the key vault.'],
    ['edr', 'reader', 'failed', 'The key vault does not let this service read the secret edr.'],
    ['edr', 'bad', 'failed', 'The key vault does not let this service read the secret edr.'],
    ['broken', 'good', 'failed', 'The key vault answered something that is no secret.'],
    ['busy', 'good', 'failed', 'The key vault answered HTTP 503.'],
  ])('that refuses %s to a %s token is quoted in words', async (secret, token, status, error) => {
    const { url } = await aPeer();

    const reading = await at(url, undefined, token).read({ secret, version: undefined }, noEnd);

    expect(reading).toEqual({ ok: false, status, error });
  });

  test('that is away, or whose token cannot be had, fails the look-up', async () => {
    const { peer, url } = await aPeer();
    await peer.close();
    peers.splice(0);
    const tokenless = createKeyVault({
      url,
      clock: { now: () => 0 },
      tokens: {
        acquire: async () => ({
          ok: false,
          status: 'failed',
          reason: 'No access token was given.',
        }),
        forget: () => {},
      },
    });
    const wanted = { secret: 'edr', version: undefined };

    expect(await at(url).read(wanted, noEnd)).toEqual({
      ok: false,
      status: 'failed',
      error: 'The key vault cannot be reached: connection refused.',
    });
    expect(await tokenless.read(wanted, noEnd)).toEqual({
      ok: false,
      status: 'failed',
      error: 'The key vault cannot be used: No access token was given.',
    });
  });

  test('is read with the managed identity of the host', async () => {
    const { url } = await aPeer();
    const identity = await startHttpPeer(({ url: asked }) => {
      const resource = new URL(asked, 'http://host').searchParams.get('resource');
      const answer = { access_token: 'good', expires_on: '4102444800', token_type: 'Bearer' };
      return resource === 'https://0.0.1'
        ? { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(answer) }
        : { status: 400 };
    });
    peers.push(identity);
    vi.stubEnv('IDENTITY_ENDPOINT', `http://127.0.0.1:${identity.port}/msi/token`);
    vi.stubEnv('IDENTITY_HEADER', 'proof');

    const reading = await aVault({ keyVaultUrl: url }).resolve('keyvault:edr', noEnd);

    // The vault of the test has a certificate nobody vouches for; its token had been given by then.
    expect(identity.requests).toHaveLength(1);
    expect(reading).toEqual({
      ok: false,
      status: 'failed',
      error: 'The key vault cannot be reached: the certificate is self-signed.',
    });
  });
});
