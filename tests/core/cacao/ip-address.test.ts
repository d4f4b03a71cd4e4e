import { expect, test } from 'vitest';
import { isInRange, parseIpAddress } from '../../../core/cacao/ip-address.ts';

test.each([
  ['0.0.0.0', 0n],
  ['255.255.255.255', 0xffffffffn],
  ['010.0.0.1', 0x0a000001n],
  ['::', 0n],
  ['::1', 1n],
  ['1::', 1n << 112n],
  ['::ffff:10.0.0.1', 0xffff0a000001n],
  ['2001:DB8:0:0:0:0:0:1', 0x20010db8000000000000000000000001n],
])('reads %s', (text, value) => {
  expect(parseIpAddress(text)?.value).toBe(value);
});

test.each([
  '',
  '1.2.3',
  '256.1.1.1',
  '1.2.3.4.5',
  ':::',
  '1::2::3',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '::g',
  'fe80::1%eth0',
  '1.2.3.4::',
])('does not take %j for an address', (text) => {
  expect(parseIpAddress(text)).toBeUndefined();
});

test.each(['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/9', 'ten', '::/129'])(
  'does not take %j for a network',
  (range) => {
    expect(isInRange({ bits: 32, value: 0n }, range)).toBeUndefined();
  },
);
