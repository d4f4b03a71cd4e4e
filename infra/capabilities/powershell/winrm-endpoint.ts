/**
 * Finds the WinRM listeners of a target: one per dname, ipv4 and ipv6, in that order; only a target without
 * those is reached by its url. HTTPS on port 5986 or when the url says so, plain HTTP otherwise.
 */

import type { AgentTarget } from '../../../core/cacao/playbook.ts';
import { readHosts } from '../addressing/hosts.ts';
import { readPort } from '../addressing/port.ts';

export type EndpointsReading =
  /** Tried one after the other until a connection is made; never empty. */
  | { readonly ok: true; readonly urls: readonly URL[] }
  | { readonly ok: false; readonly reason: string };

const HTTP_PORT = 5985;
const HTTPS_PORT = 5986;

export function readEndpoints({ address, port }: AgentTarget): EndpointsReading {
  const given = readPort(port);
  if (!given.ok) return given;
  const named = readHosts(address);
  if (!named.ok) return named;
  const entries = address?.url ?? [];
  const urls =
    named.hosts.length > 0
      ? named.hosts.map((host) => fromHost(host, given.port ?? HTTP_PORT))
      : entries.flatMap((entry) => fromUrl(entry.trim(), given.port));
  if (urls.length === 0) return { ok: false, reason: 'The target has no usable address.' };
  return { ok: true, urls };
}

function fromHost(host: string, port: number): URL {
  return new URL(`${port === HTTPS_PORT ? 'https' : 'http'}://${host}:${port}/wsman`);
}

/** A bare host is taken for a url, as playbooks in the field have it. */
function fromUrl(entry: string, port: number | undefined): URL[] {
  const url = URL.parse(entry.includes('://') ? entry : `http://${entry}`);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return [];
  const named = port ?? (url.port === '' ? undefined : Number(url.port));
  const tls = url.protocol === 'https:' || named === HTTPS_PORT;
  const path = url.pathname === '/' ? '/wsman' : url.pathname;
  const authority = `${url.hostname}:${named ?? (tls ? HTTPS_PORT : HTTP_PORT)}`;
  return [new URL(`${tls ? 'https' : 'http'}://${authority}${path}`)];
}
