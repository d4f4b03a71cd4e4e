import { describe, expect, test } from 'vitest';
import type { AgentTarget } from '../../../../core/cacao/model.ts';
import { readSshAddress } from '../../../../infra/capabilities/ssh/ssh-address.ts';

function read(address: AgentTarget['address'], port?: string) {
  const target = { type: 'ssh', name: 'target', address, ...(port === undefined ? {} : { port }) };
  return readSshAddress(target as AgentTarget);
}

describe('the addresses of a target', () => {
  test('names come first, then ipv4, ipv6 and the hosts of urls', () => {
    const reading = read({
      url: ['https://10.0.0.9/path', 'ssh://[::9]:2222'],
      ipv6: ['::1'],
      ipv4: ['10.0.0.1', '10.0.0.2'],
      dname: ['web.example'],
    });

    expect(reading).toEqual({
      ok: true,
      hosts: ['web.example', '10.0.0.1', '10.0.0.2', '::1', '10.0.0.9', '::9'],
      port: 2222,
    });
  });

  test.each([
    ['the usual port when none is given', undefined, 'web', 22],
    ['the usual port when it is blank', ' ', 'web', 22],
    ['the given port', '2022', 'web', 2022],
    ['the port of an ssh url', undefined, 'ssh://web:2222', 2222],
    ['the given port before that of the url', '2022', 'ssh://web:2222', 2022],
    ['the usual port, not that of a web page', undefined, 'https://web:8443', 22],
  ])('%s is used', (_, port, where, expected) => {
    const address = where === 'web' ? { dname: [where] } : { url: [where] };

    expect(read(address, port)).toEqual({ ok: true, hosts: ['web'], port: expected });
  });

  test('a host named twice is tried once', () => {
    expect(read({ dname: ['web', 'WEB'], url: ['ssh://web'] })).toMatchObject({ hosts: ['web'] });
  });
});
