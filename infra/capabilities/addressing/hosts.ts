/** The hosts a target names, in the order they are preferred: dname, ipv4, ipv6. */

import { isIPv4, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import type { AgentTarget } from '../../../core/cacao/playbook.ts';

type Address = NonNullable<AgentTarget['address']>;

/** `hosts` are written as in a URL: names in ASCII, IPv6 addresses in brackets; each occurs once. */
export type HostsReading =
  | { readonly ok: true; readonly hosts: readonly string[] }
  | { readonly ok: false; readonly reason: string };

type Kind = {
  readonly name: 'dname' | 'ipv4' | 'ipv6';
  /** Undefined when the text is no such address. */
  readonly read: (text: string) => string | undefined;
  readonly expected: string;
};

const kinds: readonly Kind[] = [
  { name: 'dname', read: readName, expected: 'a host name without scheme, port or path' },
  { name: 'ipv4', read: (text) => (isIPv4(text) ? text : undefined), expected: 'an IPv4 address' },
  { name: 'ipv6', read: readIpv6, expected: 'an IPv6 address without zone' },
];

/**
 * Blank entries are passed over, because a variable without value leaves one; anything else that is
 * no address is refused rather than replaced by the next best.
 */
export function readHosts(address: Address | undefined): HostsReading {
  const hosts = new Set<string>();
  for (const { name, read, expected } of kinds) {
    for (const entry of address?.[name] ?? []) {
      const text = entry.trim();
      if (text === '') continue;
      const host = read(text);
      if (host === undefined) {
        return { ok: false, reason: `The target's ${name} "${text}" is not ${expected}.` };
      }
      hosts.add(host);
    }
  }
  return { ok: true, hosts: [...hosts] };
}

/** Labels of letters, digits, hyphens and underscores; one label is enough, a final dot is allowed. */
const hostName = /^(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*\.?$/i;

/** What may stand in a name before it is put into ASCII, which would cut off a path silently. */
const nameCharacters = /^[\p{L}\p{N}\p{M}._-]+$/u;

function readName(text: string): string | undefined {
  const ascii = nameCharacters.test(text) ? domainToASCII(text) : '';
  return ascii.length <= 254 && hostName.test(ascii) ? ascii : undefined;
}

function readIpv6(text: string): string | undefined {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  return isIPv6(bare) && !bare.includes('%') ? `[${bare}]` : undefined;
}
