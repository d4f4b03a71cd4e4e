/** Commands that are over before the client has heard that they may run. */

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ssh2 from 'ssh2';
import { afterEach, expect, test } from 'vitest';
import { createSshCapability } from '../../../../infra/capabilities/ssh/ssh-capability.ts';
import { anInvocation, begin, recordingLog } from './ssh-fixture.ts';

let server: ssh2.Server | undefined;
afterEach(() => server?.close());

/** Permission to run, output, status and end of a command leave in one packet. */
async function startHastyServer(): Promise<number> {
  const hostKey = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }).private;
  server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
    client.on('error', () => {});
    client.on('authentication', (login) => login.accept());
    client.on('session', (accept) => {
      accept().on('exec', (acceptExec) => {
        const channel = acceptExec();
        channel.write('done');
        channel.exit(0);
        channel.end();
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

test('the status and output of a command that ends at once are not lost', async () => {
  const port = await startHastyServer();
  const ssh = createSshCapability({
    keys: undefined,
    hostKeyPolicy: 'off',
    knownHostsPath: 'unused',
    log: recordingLog(),
  });
  const session = begin(ssh);

  const outcomes = [];
  for (let count = 0; count < 20; count += 1) {
    outcomes.push(await session.perform(anInvocation('true', { port })));
  }
  await session.end();

  expect(outcomes).toEqual(
    Array.from({ length: 20 }, () => ({ ok: true, values: { __svc_ssh_result__: 'done' } })),
  );
});
