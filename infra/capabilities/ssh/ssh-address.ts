/** Where a target listens for ssh: its hosts in the order they are tried, and its port. */

import { isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import type { AgentTarget } from '../../../core/cacao/model.ts';
import type { SshFailure } from './ssh-failure.ts';

export type SshAddressReading =
  | { readonly ok: true; readonly hosts: readonly string[]; readonly port: number }
  | { readonly ok: false; readonly failure: SshFailure };

const usualPort = 22;
/** What may stand in a name; nothing else can get into the known hosts file through it. */
const hostName = /^[a-z0-9_]([a-z0-9._-]*[a-z0-9_.])?$/i;

/** Names first, then ipv4, ipv6 and the host of a url. */
export function readSshAddress(target: AgentTarget): SshAddressReading {
  const { dname = [], ipv4 = [], ipv6 = [], url = [] } = target.address ?? {};
  const urls = url.flatMap((text) => (URL.canParse(text) ? [new URL(text)] : []));
  const hosts = [...dname, ...ipv4, ...ipv6, ...urls.map((one) => one.hostname)].flatMap(readHost);
  if (hosts.length === 0) return unusable('the target has no usable address');

  const given =
    target.port?.trim() || urls.find((one) => one.protocol === 'ssh:')?.port || usualPort;
  const port = Number(given);
  if (!/^\d{1,5}$/.test(String(given)) || port < 1 || port > 65_535) {
    return unusable('the port of the target must be a number from 1 to 65535');
  }
  return { ok: true, hosts: [...new Set(hosts)], port };
}

function readHost(text: string): readonly string[] {
  const bare = text.trim().replace(/^\[(.*)\]$/, '$1');
  if (isIPv6(bare)) return [bare];
  const ascii = domainToASCII(bare);
  return hostName.test(ascii) ? [ascii] : [];
}

function unusable(reason: string): SshAddressReading {
  return { ok: false, failure: { status: 'client_side_error', reason } };
}
