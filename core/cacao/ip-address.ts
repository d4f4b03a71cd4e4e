/** IPv4 and IPv6 addresses and CIDR ranges, for conditions and for checking target addresses. */

export type IpAddress = { readonly bits: 32 | 128; readonly value: bigint };

/** Reads a dotted quad or an IPv6 address (zone ids are refused); undefined for anything else. */
export function parseIpAddress(text: string): IpAddress | undefined {
  return parseIpv4(text) ?? parseIpv6(text);
}

/** Reads a dotted quad; leading zeros are read as decimal. */
export function parseIpv4(text: string): IpAddress | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  if (parts === null) return undefined;
  let value = 0n;
  for (const part of parts.slice(1)) {
    const octet = Number(part);
    if (octet > 255) return undefined;
    value = (value << 8n) | BigInt(octet);
  }
  return { bits: 32, value };
}

/** Reads an IPv6 address in any RFC 4291 spelling, embedded IPv4 included. */
export function parseIpv6(text: string): IpAddress | undefined {
  if (text.length > 45 || !text.includes(':')) return undefined;
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const head = readGroups(halves[0] ?? '', halves.length === 1);
  const tail = readGroups(halves[1] ?? '', true);
  if (head === undefined || tail === undefined) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const groups = [...head, ...Array.from({ length: missing }, () => 0n), ...tail];
  return { bits: 128, value: groups.reduce((sum, group) => (sum << 16n) | group, 0n) };
}

/** Whether `address` lies in `range`, an address or a CIDR block; undefined when `range` is neither. */
export function isInRange(address: IpAddress, range: string): boolean | undefined {
  const [base = '', prefix, ...rest] = range.split('/');
  const network = parseIpAddress(base);
  if (network === undefined || rest.length > 0) return undefined;
  if (prefix !== undefined && !/^\d{1,3}$/.test(prefix)) return undefined;
  const length = prefix === undefined ? network.bits : Number(prefix);
  if (length > network.bits) return undefined;
  if (network.bits !== address.bits) return false;
  const shift = BigInt(network.bits - length);
  return network.value >> shift === address.value >> shift;
}

/** An embedded IPv4 address may only stand at the very end. */
function readGroups(text: string, atEnd: boolean): bigint[] | undefined {
  if (text === '') return [];
  const groups: bigint[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    const embedded = atEnd && index === parts.length - 1 ? parseIpv4(part) : undefined;
    if (embedded !== undefined) groups.push(embedded.value >> 16n, embedded.value & 0xffffn);
    else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(BigInt(`0x${part}`));
    else return undefined;
  }
  return groups;
}
