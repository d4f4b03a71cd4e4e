/**
 * A Caldera server for tests, written from the documentation of its REST API, version 2, and strict about
 * keys, bodies and references. It has no agents: how an operation goes is scripted.
 */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { certificate, privateKey } from '../winrm/certificate.ts';
import {
  type Body,
  checkAbility,
  checkAdversary,
  checkOperation,
  checkPatch,
  Refused,
} from './caldera-rules.ts';

export type CalderaPeerOptions = {
  readonly links: readonly { readonly [key: string]: unknown }[];
  /** Results by link id, for servers that keep the output there. */
  readonly results?: { readonly [linkId: string]: string };
  /** How often an operation is still running when asked. */
  readonly runningPolls?: number;
  readonly endState?: string;
  readonly tls?: boolean;
  /** Answers in place of the server when it returns something. `count` counts calls of the same line. */
  readonly interfere?: (line: string, count: number) => Reply | undefined;
  /** Called before each request is answered. */
  readonly onRequest?: (line: string) => void;
};

export type Reply = { readonly status: number; readonly body?: unknown };

export type CalderaPeer = {
  readonly port: number;
  /** Requests as `METHOD path`, ids replaced by `*`. */
  readonly log: string[];
  readonly abilities: Map<string, Body>;
  readonly adversaries: Map<string, Body>;
  readonly operations: Map<string, Body>;
  stop(): Promise<void>;
};

export const API_KEY = 'red-key-1';
export const LASTING_ABILITY = '43b3754c-def4-4699-a673-1d85648fda6a';

export async function startCalderaPeer(options: CalderaPeerOptions): Promise<CalderaPeer> {
  const log: string[] = [];
  const abilities = new Map<string, Body>([[LASTING_ABILITY, { name: 'Avoid logs' }]]);
  const adversaries = new Map<string, Body>();
  const operations = new Map<string, Body>();
  let polls = 0;

  function pollOperation(id: string): Reply {
    const operation = known(operations, id);
    polls += 1;
    const over = polls > (options.runningPolls ?? 0);
    if (over && operation['state'] === 'running')
      operation['state'] = options.endState ?? 'finished';
    return { status: 200, body: operation };
  }

  const routes: { readonly [line: string]: (id: string, body: Body, part: string) => Reply } = {
    'POST /abilities': (_, body) => {
      const id = randomUUID();
      return stored(abilities, id, { ...checkAbility(body), ability_id: id });
    },
    'DELETE /abilities/*': (id) => removed(abilities, id),
    'POST /adversaries': (_, body) => {
      const id = randomUUID();
      return stored(adversaries, id, { ...checkAdversary(body, abilities), adversary_id: id });
    },
    'DELETE /adversaries/*': (id) => removed(adversaries, id),
    'POST /operations': (_, body) => {
      const id = randomUUID();
      return stored(operations, id, { ...checkOperation(body, adversaries), id, state: 'running' });
    },
    'GET /operations/*': pollOperation,
    'PATCH /operations/*': (id, body) => {
      Object.assign(known(operations, id), checkPatch(body));
      return { status: 200, body: operations.get(id) };
    },
    'GET /operations/*/links': (id) => {
      known(operations, id);
      return { status: 200, body: options.links };
    },
    'GET /operations/*/links/*/result': (_, __, linkId) => {
      const link = options.links.find((one) => one['id'] === linkId);
      if (link === undefined || options.results === undefined)
        throw new Refused(404, 'Link not found');
      return { status: 200, body: { link, result: options.results[linkId] ?? '' } };
    },
  };

  function answer(request: IncomingMessage, text: string): Reply {
    const path = (request.url ?? '').replace(/^\/api\/v2/, '');
    const [, collection = '', id = '', member, part = '', leaf] = path
      .split('/')
      .map(decodeURIComponent);
    const parts = [collection, id && '*', member, part && '*', leaf].filter(Boolean).join('/');
    const line = `${request.method} /${parts}`;
    log.push(line);
    options.onRequest?.(line);
    if (request.headers['key'] !== API_KEY) return { status: 401, body: '401: Unauthorized' };
    const interference = options.interfere?.(line, log.filter((one) => one === line).length);
    if (interference !== undefined) return interference;
    try {
      const route = routes[line];
      if (route === undefined || !request.url?.startsWith('/api/v2/'))
        throw new Refused(404, 'no such path');
      return route(id, readBody(request, text), part);
    } catch (error) {
      if (error instanceof Refused) return { status: error.status, body: { error: error.message } };
      throw error;
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { status, body } = answer(request, Buffer.concat(chunks).toString('utf8'));
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body));
  }

  return {
    ...(await listen(serve, options.tls === true)),
    log,
    abilities,
    adversaries,
    operations,
  };
}

async function listen(
  serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  tls: boolean,
): Promise<Pick<CalderaPeer, 'port' | 'stop'>> {
  const handler = (request: IncomingMessage, response: ServerResponse) => {
    serve(request, response).catch(() => response.destroy());
  };
  const server = tls
    ? createTlsServer({ cert: certificate, key: privateKey }, handler)
    : createServer(handler);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function readBody(request: IncomingMessage, text: string): Body {
  if (request.method !== 'POST' && request.method !== 'PATCH') return {};
  if (request.headers['content-type'] !== 'application/json')
    throw new Refused(415, 'expected JSON');
  try {
    return JSON.parse(text) as Body;
  } catch {
    throw new Refused(400, 'the body is not JSON');
  }
}

function stored(collection: Map<string, Body>, id: string, body: Body): Reply {
  collection.set(id, body);
  return { status: 200, body };
}

function removed(collection: Map<string, Body>, id: string): Reply {
  known(collection, id);
  collection.delete(id);
  return { status: 204 };
}

function known(collection: Map<string, Body>, id: string): Body {
  const found = collection.get(id);
  if (found === undefined) throw new Refused(404, `not found: ${id}`);
  return found;
}
