/** Stands in for the systems the demo's playbook talks to: a real HTTP server on the loopback. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export type StandIn = {
  readonly url: string;
  /** `METHOD /path` of every request, in the order of their arrival. */
  readonly calls: readonly string[];
  close(): Promise<void>;
};

type Answer = { readonly status?: number; readonly body: string };

/** As slow as a system one network away, so that the demo can be watched. */
const LATENCY_MS = 120;

export async function startStandIn(): Promise<StandIn> {
  const calls: string[] = [];
  const answer = createAnswers();
  const server = createServer(async ({ method, url }, response) => {
    const call = `${method} ${url}`;
    calls.push(call);
    const { status = 200, body } = answer(call);
    await delay(LATENCY_MS);
    response.writeHead(status, { 'content-type': 'text/plain' }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    calls,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** One firewall that refuses, one isolation that takes its time; everything else works. */
function createAnswers(): (call: string) => Answer {
  const isolation = ['pending', 'pending', 'isolated'];
  return (call) => {
    if (call.endsWith('/severity')) return { body: 'high' };
    if (call.startsWith('GET /reputation/')) return { body: 'malicious' };
    if (call === 'POST /firewall/blocks') return { status: 503, body: 'locked by a change window' };
    if (call.endsWith('/purge')) return { body: '37 mailboxes' };
    if (/^GET .*\/isolation$/.test(call)) return { body: isolation.shift() ?? 'isolated' };
    return { body: 'done' };
  };
}
