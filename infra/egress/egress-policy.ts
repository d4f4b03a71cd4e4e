/**
 * Where connections may go that a playbook or a webhook asks for.
 *
 * P1  What EGRESS_DENY names is denied, whatever else is said.
 * P2  Link-local addresses, where clouds serve metadata and tokens, are denied unless EGRESS_ALLOW names
 *     an address or network inside them: neither a name that resolves to one nor 0.0.0.0/0 opens them.
 * P3  With EGRESS_ALLOW only what it names is allowed.
 */

import { type IpAddress, isInRange, parseIpAddress } from '../../core/cacao/ip-address.ts';
import type { EgressConfig } from '../../core/config/config.ts';
import type { Destination, EgressPolicy } from '../capabilities/addressing/egress.ts';

export function createEgressPolicy({ allow, deny }: EgressConfig): EgressPolicy {
  const opened = (allow ?? []).filter(isInsideLinkLocal);
  return (destination) => {
    if (deny.some((entry) => names(entry, destination))) return false;
    const isLinkLocal = linkLocal.some((network) => names(network, destination));
    if (isLinkLocal) return opened.some((entry) => names(entry, destination));
    return allow === undefined || allow.some((entry) => names(entry, destination));
  };
}

/** RFC 3927, RFC 4291 section 2.5.6, and the metadata address of a cloud that has put it elsewhere. */
const linkLocal = ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::254'];

function isInsideLinkLocal(entry: string): boolean {
  const [base = '', length] = entry.split('/');
  const network = parseIpAddress(base);
  if (network === undefined) return false;
  const bits = length === undefined ? network.bits : Number(length);
  return linkLocal.some((range) => {
    const least = Number(range.split('/')[1] ?? 128);
    return isInRange(network, range) === true && bits >= least;
  });
}

/** Names are compared with what was asked for, addresses with what it resolved to. */
function names(entry: string, { host, address }: Destination): boolean {
  const found = spellings(address).map((one) => isInRange(one, entry));
  if (found.some((isIn) => isIn !== undefined)) return found.includes(true);
  const name = host.toLowerCase().replace(/\.$/, '');
  return entry.startsWith('*.') ? name.endsWith(entry.slice(1)) : name === entry;
}

/** IPv4 inside IPv6 (RFC 4291 section 2.5.5.2, RFC 6052 section 2.1) reaches the IPv4 address. */
const carriers = ['::ffff:0:0/96', '64:ff9b::/96'];

function spellings(text: string): readonly IpAddress[] {
  const address = parseIpAddress(text.replace(/%.*$/, ''));
  if (address === undefined) return [];
  const carried = carriers.some((network) => isInRange(address, network) === true);
  if (!carried) return [address];
  return [address, { bits: 32, value: address.value & 0xffff_ffffn }];
}
