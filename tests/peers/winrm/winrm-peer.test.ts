/** Holds the WinRM peer against a client made by others, python3-winrm, so both cannot share our mistakes. */

import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { peer as skipWithout } from '../require-peer.ts';
import { startWinRmPeer } from './winrm-peer.ts';

/** Debian's own interpreter: python3-winrm is installed for that one. */
const python = '/usr/bin/python3';
const program = `
import json, sys
from winrm.protocol import Protocol
endpoint, transport, password = sys.argv[1:4]
protocol = Protocol(endpoint=endpoint, transport=transport, username='operator', password=password,
                    server_cert_validation='ignore')
shell = protocol.open_shell(codepage=65001)
command = protocol.run_command(shell, 'ipconfig', ['/all'])
output, errors, code = protocol.get_command_output(shell, command)
protocol.cleanup_command(shell, command)
protocol.close_shell(shell)
print(json.dumps([output.decode('utf-8'), errors.decode('utf-8'), code]))
`;
/** The client's NTLM asks OpenSSL for MD4, which only the legacy provider still has. */
const legacyOpenSsl =
  'openssl_conf = init\n[init]\nproviders = providers\n[providers]\ndefault = on\nlegacy = on\n[on]\nactivate = 1\n';

const installed = spawnSync(python, ['-c', 'import winrm, requests_ntlm']).status === 0;
const directory = mkdtempSync(join(tmpdir(), 'winrm-peer-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function runClient(endpoint: string, transport: string, password: string): Promise<string> {
  const configuration = join(directory, 'openssl.cnf');
  writeFileSync(configuration, legacyOpenSsl);
  const { stdout } = await promisify(execFile)(
    python,
    ['-W', 'ignore', '-c', program, endpoint, transport, password],
    { env: { PATH: '/usr/bin:/bin', OPENSSL_CONF: configuration } },
  );
  return stdout;
}

describe.skipIf(skipWithout('python3-winrm', 'apt-get install python3-winrm', installed))(
  'a client made by others',
  () => {
    test.each([
      ['NTLM over HTTP', { transport: 'ntlm', tls: false, protection: 'sealed' }],
      ['NTLM over HTTPS', { transport: 'ntlm', tls: true, protection: 'plain' }],
      ['Basic over HTTPS', { transport: 'basic', tls: true, protection: 'plain' }],
    ])('runs a command on the peer with %s', async (_, { transport, tls, protection }) => {
      const peer = await startWinRmPeer({
        schemes: ['Negotiate', 'Basic'],
        tls,
        run: () => ({
          stdout: [Buffer.from('größe'), Buffer.from(' 1')],
          stderr: [Buffer.from('warning')],
          exitCode: 3,
          operationTimeouts: 1,
        }),
      });

      const endpoint = `${tls ? 'https' : 'http'}://127.0.0.1:${peer.port}/wsman`;
      const printed = await runClient(endpoint, transport, 'correct horse 1');
      await peer.stop();

      expect(JSON.parse(printed)).toEqual(['größe 1', 'warning', 3]);
      expect(new Set(peer.protections)).toEqual(new Set([protection]));
      expect(peer.service.openShells()).toBe(0);
    });

    test('is turned away with a wrong password', async () => {
      const peer = await startWinRmPeer({ schemes: ['Negotiate'], run: () => ({}) });

      const attempt = runClient(`http://127.0.0.1:${peer.port}/wsman`, 'ntlm', 'wrong');

      await expect(attempt).rejects.toThrow('credentials were rejected');
      await peer.stop();
      expect(peer.refusals).toContain('wrong password');
    });
  },
);
