import { describe, expect, test } from 'vitest';
import { readHosts } from '../../../../infra/capabilities/addressing/hosts.ts';

describe('the hosts of a target', () => {
  test('come in the order of preference, each once, blanks passed over', () => {
    const address = {
      ipv6: ['2001:DB8::1', '[::1]'],
      ipv4: ['192.0.2.1', ' '],
      dname: ['localhost', 'a.example', 'LOCALHOST', ''],
    };

    expect(readHosts(address)).toEqual({
      ok: true,
      hosts: ['localhost', 'a.example', '192.0.2.1', '[2001:DB8::1]', '[::1]'],
    });
  });

  test('are none where a target has other addresses or no address at all', () => {
    expect(readHosts(undefined)).toEqual({ ok: true, hosts: [] });
    expect(readHosts({ l2mac: ['00:11:22:33:44:55'], vlan: [7] })).toEqual({ ok: true, hosts: [] });
  });

  test.each(['bücher.example', 'under_score', 'a-b.c', 'h.', '10.0.0.1'])(
    'may be named %s',
    (name) => {
      expect(readHosts({ dname: [name] }).ok).toBe(true);
    },
  );

  test.each([
    ['dname', 'http://h'],
    ['dname', 'h/path'],
    ['dname', 'h?x'],
    ['dname', 'h:80'],
    ['dname', '-h'],
    ['dname', 'a..b'],
    ['dname', 'a\tb'],
    ['dname', '::1'],
    ['ipv4', 'localhost'],
    ['ipv4', '1.2.3'],
    ['ipv4', '256.0.0.1'],
    ['ipv6', '192.0.2.1'],
    ['ipv6', 'fe80::1%eth0'],
    ['ipv6', '[::1]:80'],
  ] as const)('are refused where a %s is "%s"', (kind, text) => {
    expect(readHosts({ dname: ['fine'], [kind]: [text] })).toEqual({
      ok: false,
      reason: expect.stringContaining(`The target's ${kind} "${text}" is not`),
    });
  });
});
