/** Finds the WinRM listener of a target: dname, ipv4, ipv6, then the host of a url. */

import type { AgentTarget } from '../../../core/cacao/playbook.ts';

export type Endpoint = { readonly url: URL } | { readonly problem: string };

const HTTP_PORT = 5985;
const HTTPS_PORT = 5986;

/** HTTPS on port 5986 or when the url says so, plain HTTP otherwise. */
export function winRmEndpoint(target: AgentTarget): Endpoint {
  const { address = {}, port = '' } = target;
  const url = readUrl(address.url?.[0]);
  const host =
    address.dname?.[0] || address.ipv4?.[0] || bracketed(address.ipv6?.[0]) || url?.hostname;
  if (!host) return { problem: 'the target has no usable address' };

  const given = port.trim() === '' ? undefined : readPort(port.trim());
  if (given === undefined && port.trim() !== '') {
    return { problem: `the port of the target is not a number from 1 to 65535: ${port}` };
  }
  const fromUrl = host === url?.hostname ? url : undefined;
  const tls =
    given === HTTPS_PORT || fromUrl?.protocol === 'https:' || fromUrl?.port === `${HTTPS_PORT}`;
  const chosen = given ?? (Number(fromUrl?.port) || (tls ? HTTPS_PORT : HTTP_PORT));
  const path = fromUrl === undefined || fromUrl.pathname === '/' ? '/wsman' : fromUrl.pathname;
  const text = `${tls ? 'https' : 'http'}://${host}:${chosen}${path}`;
  return URL.canParse(text) ? { url: new URL(text) } : { problem: `no host can be called ${host}` };
}

function readPort(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}

/** Only http and https; a bare host is taken for one, as playbooks in the field have it. */
function readUrl(text: string | undefined): URL | undefined {
  if (text === undefined || text === '') return undefined;
  const whole = text.includes('://') ? text : `http://${text}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
}

function bracketed(address: string | undefined): string | undefined {
  return address === undefined || address === ''
    ? undefined
    : `[${address.replace(/^\[|\]$/g, '')}]`;
}
