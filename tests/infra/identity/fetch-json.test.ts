import { afterEach, expect, test } from 'vitest';
import { createFetchJson } from '../../../infra/identity/fetch-json.ts';
import { type Answer, type HttpPeer, startHttpPeer } from '../../peers/http/http-peer.ts';

const peers: HttpPeer[] = [];
afterEach(async () => {
  for (const peer of peers.splice(0)) await peer.close();
});
async function peerWith(answer: Answer, tls = false): Promise<string> {
  const peer = await startHttpPeer(() => answer, { tls });
  peers.push(peer);
  return `${tls ? 'https' : 'http'}://127.0.0.1:${peer.port}/document`;
}

const fetchJson = createFetchJson({ skipTlsVerify: false });

test('JSON is fetched', async () => {
  expect(await fetchJson(await peerWith({ body: '{"keys":[]}' }))).toEqual({ keys: [] });
});

test.each<[string, Answer]>([
  ['another status', { status: 404, body: '{}' }],
  ['a redirect', { status: 302, headers: { location: 'http://169.254.169.254/' } }],
  ['no JSON', { body: '<html>' }],
  ['too much', { body: `"${'x'.repeat(1_000_001)}"` }],
])('%s is no document', async (_, answer) => {
  await expect(fetchJson(await peerWith(answer))).rejects.toThrow();
});

test('nobody there is no document', async () => {
  const url = await peerWith({});
  await peers.pop()?.close();

  await expect(fetchJson(url)).rejects.toThrow();
});

test('a certificate nobody vouches for is refused, unless the setting says to skip the check', async () => {
  const url = await peerWith({ body: '1' }, true);

  await expect(fetchJson(url)).rejects.toThrow();
  await expect(createFetchJson({ skipTlsVerify: true })(url)).resolves.toBe(1);
});
