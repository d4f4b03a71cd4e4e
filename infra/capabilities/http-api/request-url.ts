/**
 * Where a request goes.
 *
 * U1  A PATH that is an absolute URL is used as it stands.
 * U2  A target with dname, ipv4 or ipv6 gives one URL per host, in that order: http on ports 80 and 8080
 *     and when no port is given, https on all others.
 * U3  Only a target without those is reached by its url: PATH is appended to it, and the port is added
 *     when the url names none.
 * U4  A port of the command overrides the target's.
 */

import type { AgentTarget } from '../../../core/cacao/playbook.ts';
import { readHosts } from '../addressing/hosts.ts';
import { readPort } from '../addressing/port.ts';

export type UrlReading =
  | {
      readonly ok: true;
      /** Tried one after the other until a connection is made; never empty. */
      readonly urls: readonly URL[];
      /** False when PATH is an absolute URL that leads to none of the target's addresses. */
      readonly withinTarget: boolean;
    }
  | { readonly ok: false; readonly reason: string };

export function readUrls(
  target: AgentTarget,
  path: string,
  commandPort: string | number | undefined,
): UrlReading {
  const commanded = readPort(commandPort);
  if (!commanded.ok) return commanded;
  const given = commanded.port === undefined ? readPort(target.port) : commanded;
  if (!given.ok) return given;
  const named = readHosts(target.address);
  if (!named.ok) return named;
  const urlTexts = (target.address?.url ?? []).filter((text) => text.trim() !== '');

  if (/^https?:\/\//i.test(path)) return readAbsolute(path, named.hosts, urlTexts);
  if (named.hosts.length > 0) return fromHosts(named.hosts, given.port ?? 80, path);
  return fromUrls(urlTexts, given.port, path);
}

function readAbsolute(
  path: string,
  hosts: readonly string[],
  urlTexts: readonly string[],
): UrlReading {
  const url = URL.parse(path);
  if (url === null) return { ok: false, reason: 'The URL in the command is not a valid one.' };
  const own = [...hosts.map((host) => `http://${host}`), ...urlTexts].map(
    (text) => URL.parse(text)?.hostname,
  );
  return { ok: true, urls: [url], withinTarget: own.length === 0 || own.includes(url.hostname) };
}

function fromHosts(hosts: readonly string[], port: number, path: string): UrlReading {
  const scheme = port === 80 || port === 8080 ? 'http' : 'https';
  const urls: URL[] = [];
  for (const host of hosts) {
    const base = URL.parse(`${scheme}://${host}:${port}/`);
    if (base === null) return { ok: false, reason: `No host can be called "${host}".` };
    urls.push(append(base, path));
  }
  return { ok: true, urls, withinTarget: true };
}

function fromUrls(urlTexts: readonly string[], port: number | undefined, path: string): UrlReading {
  if (urlTexts.length === 0) return { ok: false, reason: 'The target has no usable address.' };
  const urls: URL[] = [];
  for (const text of urlTexts) {
    const base = /^https?:\/\//i.test(text.trim()) ? URL.parse(text.trim()) : null;
    if (base === null) {
      return { ok: false, reason: 'The url of the target is not an absolute http or https URL.' };
    }
    if (port !== undefined && !namesPort.test(text.trim())) base.port = String(port);
    urls.push(append(base, path));
  }
  return { ok: true, urls, withinTarget: true };
}

/** A URL object forgets a port that is its scheme's default, so the text is asked. */
const namesPort = /^https?:\/\/(?:[^/?#]*@)?(?:\[[^\]]*\]|[^:/?#]*):\d+/i;

/** "/" stands for the address itself; both queries are kept, a fragment is never sent. */
function append(base: URL, commandPath: string): URL {
  const url = new URL(base);
  const [beforeFragment = ''] = commandPath.split('#', 1);
  const queryAt = beforeFragment.indexOf('?');
  const path = queryAt < 0 ? beforeFragment : beforeFragment.slice(0, queryAt);
  const query = queryAt < 0 ? '' : beforeFragment.slice(queryAt + 1);
  if (path !== '' && path !== '/') {
    url.pathname = `${base.pathname.replace(/\/+$/, '')}${path.startsWith('/') ? '' : '/'}${path}`;
  }
  url.search = [base.search.slice(1), query].filter((part) => part !== '').join('&');
  url.hash = '';
  return url;
}
