import { describe, expect, test } from 'vitest';
import {
  fingerprint,
  hostKeyType,
  judgeHostKey,
  keysOf,
  knownHostName,
  parseKnownHosts,
} from '../../../../infra/capabilities/ssh/known-hosts.ts';

const key = Buffer.from('\0\0\0\x0bssh-ed25519rest');
const line = `ssh-ed25519 ${key.toString('base64')}`;

function isKnown(file: string, host: string, port = 22): boolean {
  const filed = keysOf(parseKnownHosts(file), knownHostName(host, port));
  return judgeHostKey(filed, key).kind === 'trusted';
}

describe('known hosts files', () => {
  test.each([
    ['a plain name', 'web.example', 'web.example', 22],
    ['one of several names', 'db,web.example,10.0.0.1', 'web.example', 22],
    ['a name in another case', 'Web.Example', 'WEB.example', 22],
    ['another port', '[web.example]:2222', 'web.example', 2222],
    ['a wildcard', '*.example', 'web.example', 22],
    ['a single wildcard character', '10.0.0.?', '10.0.0.7', 22],
    ['a wildcard with a port', '[*.example]:2222', 'web.example', 2222],
    ['an IPv6 address', 'fe80::1', 'fe80::1', 22],
  ])('%s is found', (_, names, host, port) => {
    expect(isKnown(`${names} ${line}\n`, host, port)).toBe(true);
  });

  test.each([
    ['a longer name', 'web.example', 'web.example.org', 22],
    ['a dot taken for any character', 'web.example', 'webxexample', 22],
    ['the usual port for another one', '[web.example]:2222', 'web.example', 22],
    ['another port for the usual one', 'web.example', 'web.example', 2222],
    ['an excluded name', '*.example,!web.example', 'web.example', 22],
    ['a certificate authority', '@cert-authority *', 'web.example', 22],
    ['a comment', '# web.example', 'web.example', 22],
    ['a malformed hash', '|1|web.example', 'web.example', 22],
  ])('%s is not', (_, names, host, port) => {
    expect(isKnown(`${names} ${line}\n`, host, port)).toBe(false);
  });

  test('comments, blank lines and Windows line ends do no harm', () => {
    expect(isKnown(`# hosts\r\n\r\nweb.example ${line} a comment\r\n`, 'web.example')).toBe(true);
  });

  test('a host with several keys is trusted with any of them', () => {
    expect(isKnown(`web ssh-rsa AAAA\nweb ${line}\n`, 'web')).toBe(true);
  });

  test('the type and the fingerprint of a key are those ssh-keygen shows', () => {
    const real = Buffer.from(
      'AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f',
      'base64',
    );

    expect(hostKeyType(real)).toBe('ssh-ed25519');
    expect(fingerprint(real)).toBe('SHA256:ZkAslGjFiUHdGf/WUL8rQvkib4PTvQatUV0OUQSncCA');
  });
});
