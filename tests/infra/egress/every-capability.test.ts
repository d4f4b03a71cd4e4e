/** Every capability that connects keeps to the policy: neither an address nor a name gets past it. */

import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AgentTarget, AuthenticationInfo } from '../../../core/cacao/playbook.ts';
import { nativeCapabilities } from '../../../infra/capabilities/native-capabilities.ts';
import { createEgressPolicy } from '../../../infra/egress/egress-policy.ts';
import { noLog } from '../../support/no-log.ts';
import { anInvocation, aStep } from '../capabilities/http-api/an-invocation.ts';

let server: Server;
let port = 0;
let connections = 0;

beforeAll(async () => {
  server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

function capabilitiesFor(host: string) {
  return nativeCapabilities({
    config: {
      agentPrefixes: ['svc'],
      skipCertValidation: true,
      ssh: { hostKeyPolicy: 'off', knownHostsFile: '/dev/null', keys: undefined },
      caldera: { url: `http://${host}:${port}`, apiKey: 'key' },
    },
    keys: undefined,
    allows: createEgressPolicy({ allow: undefined, deny: ['127.0.0.0/8', '::1'] }),
    clock: { now: () => 0 },
    log: noLog,
  });
}

const login = { type: 'user-auth', username: 'me', password: 'secret' };
const cases: readonly {
  readonly name: string;
  readonly text?: string;
  readonly target?: Partial<AgentTarget>;
  readonly authentication?: AuthenticationInfo;
}[] = [
  { name: 'http-api' },
  { name: 'openc2-http' },
  { name: 'ssh', authentication: login, text: 'id' },
  { name: 'powershell', authentication: login, text: 'Get-Item' },
  { name: 'powershell', authentication: login, text: 'Get-Item', target: { type: 'ssh' } },
  {
    name: 'caldera-cmd',
    text: '43b3754c-def4-4699-a673-1d85648fda6a',
    target: { type: 'security-category', name: 'red', category: ['caldera'] },
  },
  {
    name: 'http-api',
    target: { address: { ipv4: ['192.0.2.1'] } },
    authentication: { type: 'oauth2', oauth_header: '', token: '' },
  },
];

describe.each(['127.0.0.1', 'localhost'])('%s', (host) => {
  test.each(cases)('is not connected to by $name', async (one) => {
    const { name, text = 'GET / HTTP/1.1', target, authentication } = one;
    const capability = capabilitiesFor(host).find((it) => it.name === name);
    const address = host === 'localhost' ? { dname: [host] } : { ipv4: [host] };
    const invocation = anInvocation(
      { type: 'net-address', name: 'target', address, port: `${port}`, ...target },
      text,
      authentication === undefined ? {} : { authentication: withTokenEndpoint(authentication) },
    );
    const before = connections;
    const session = capability?.begin(aStep);

    const outcome = await session?.perform(invocation);
    await session?.end();

    expect(outcome).toMatchObject({
      ok: false,
      error: expect.stringContaining('connections to it are not allowed'),
    });
    expect(connections).toBe(before);
  });

  function withTokenEndpoint(info: AuthenticationInfo): AuthenticationInfo {
    if (info.type !== 'oauth2') return info;
    const token_url = `https://${host}:${port}/token`;
    const grant = { client_id: 'me', client_secret: 'secret', scope: 'read', token_url };
    return { ...info, ...grant };
  }
});
