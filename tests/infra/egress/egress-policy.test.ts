import { describe, expect, test } from 'vitest';
import type { EgressConfig } from '../../../core/config/config.ts';
import { createEgressPolicy } from '../../../infra/egress/egress-policy.ts';

function allowed(lists: Partial<EgressConfig>, host: string, address = host): boolean {
  return createEgressPolicy({ allow: undefined, deny: [], ...lists })({ host, address, port: 443 });
}

describe('without lists', () => {
  test.each(['10.0.0.1', '127.0.0.1', '93.184.216.34', '::1', '2001:db8::1'])(
    '%s may be reached',
    (address) => {
      expect(allowed({}, address)).toBe(true);
    },
  );

  test.each([
    '169.254.169.254',
    '169.254.0.1',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    'fd00:ec2::254',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
  ])('%s may not: it is link-local, where clouds serve their metadata', (address) => {
    expect(allowed({}, address)).toBe(false);
  });

  test('a name is judged by the address it resolves to', () => {
    expect(allowed({}, 'metadata.example', '169.254.169.254')).toBe(false);
    expect(allowed({}, 'soc.example', '10.0.0.1')).toBe(true);
  });
});

describe('with EGRESS_ALLOW', () => {
  const allow = ['soc.example', '*.corp.example', '10.0.0.0/8', 'fd12::/16', '192.0.2.7'];

  test.each([
    ['soc.example', '93.184.216.34'],
    ['SOC.example.', '93.184.216.34'],
    ['edr.corp.example', '93.184.216.34'],
    ['a.b.corp.example', '93.184.216.34'],
    ['anything.example', '10.9.8.7'],
    ['10.1.1.1', '10.1.1.1'],
    ['::ffff:10.1.1.1', '::ffff:10.1.1.1'],
    ['fd12::5', 'fd12::5'],
    ['192.0.2.7', '192.0.2.7'],
  ])('%s at %s may be reached', (host, address) => {
    expect(allowed({ allow }, host, address)).toBe(true);
  });

  test.each([
    ['corp.example', '93.184.216.34'],
    ['evilcorp.example', '93.184.216.34'],
    ['soc.example.evil.example', '93.184.216.34'],
    ['192.0.2.8', '192.0.2.8'],
    ['soc.example', '169.254.169.254'],
  ])('%s at %s may not', (host, address) => {
    expect(allowed({ allow }, host, address)).toBe(false);
  });

  test('link-local addresses are opened only by an entry inside them', () => {
    const metadata = '169.254.169.254';

    expect(allowed({ allow: ['0.0.0.0/0', '::/0'] }, metadata)).toBe(false);
    expect(allowed({ allow: ['169.254.169.254'] }, metadata)).toBe(true);
    expect(allowed({ allow: ['169.254.169.0/24'] }, metadata)).toBe(true);
    expect(allowed({ allow: ['169.254.169.0/24'] }, '169.254.1.1')).toBe(false);
    expect(allowed({ allow: ['fe80::/10'] }, 'fe80::1')).toBe(true);
  });
});

describe('with EGRESS_DENY', () => {
  test('what it names may not be reached even if it is allowed too', () => {
    const lists = {
      allow: ['*.example', '169.254.169.254'],
      deny: ['*.bad.example', '10.0.0.0/8'],
    };

    expect(allowed(lists, 'good.example', '192.0.2.1')).toBe(true);
    expect(allowed(lists, 'very.bad.example', '192.0.2.1')).toBe(false);
    expect(allowed(lists, 'good.example', '10.1.2.3')).toBe(false);
    expect(allowed({ ...lists, deny: ['169.254.0.0/16'] }, '169.254.169.254')).toBe(false);
  });
});
