/** Where a target listens for ssh: its hosts in the order they are tried, and its port. */

import type { AgentTarget } from '../../../core/cacao/model.ts';
import { type HostsReading, readHosts } from '../addressing/hosts.ts';
import { readPort } from '../addressing/port.ts';
import type { SshFailure } from './ssh-failure.ts';

export type SshAddressReading =
  | { readonly ok: true; readonly hosts: readonly string[]; readonly port: number }
  | { readonly ok: false; readonly failure: SshFailure };

const usualPort = 22;

/** Names first, then ipv4, ipv6 and the hosts of urls. The port of an ssh url counts when no other is given. */
export function readSshAddress(target: AgentTarget): SshAddressReading {
  const direct = readHosts(target.address);
  if (!direct.ok) return unusable(direct.reason);
  const hosts = new Set(direct.hosts);
  let urlPort: string | undefined;
  for (const text of target.address?.url ?? []) {
    if (text.trim() === '') continue;
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const found = readUrlHost(url?.hostname ?? '');
    if (!found.ok || found.hosts.length === 0) {
      return unusable(`The target's url "${text}" names no usable host.`);
    }
    for (const host of found.hosts) hosts.add(host);
    if (url?.protocol === 'ssh:') urlPort ??= url.port;
  }
  if (hosts.size === 0) return unusable('The target has no usable address.');

  const port = readPort(target.port?.trim() || urlPort);
  if (!port.ok) return unusable(port.reason);
  return { ok: true, hosts: [...hosts].map(unbracketed), port: port.port ?? usualPort };
}

function readUrlHost(host: string): HostsReading {
  return readHosts(host.startsWith('[') ? { ipv6: [host] } : { dname: [host] });
}

function unbracketed(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

function unusable(reason: string): SshAddressReading {
  return { ok: false, failure: { status: 'client_side_error', reason } };
}
