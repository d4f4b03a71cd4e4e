/**
 * A case management system for tests: its API, version 1, as far as this service uses it, strict about the
 * token, paths, members, values and references. What it holds can be looked at.
 */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Body, checkers, demand, Refused, runQuery } from './case-rules.ts';

export type Task = { readonly [key: string]: unknown } & {
  readonly _id: string;
  title: string;
  description: string;
  status: string;
  assignee?: string;
  readonly logs: string[];
};

export type Case = {
  readonly _id: string;
  title: string;
  description: string;
  tags: string[];
  status: string;
  summary?: string;
  readonly comments: string[];
  readonly tasks: Task[];
  readonly observables: {
    readonly dataType: string;
    readonly data: string;
    readonly message: string;
  }[];
};

export type CasePeerOptions = {
  /** Whether what is made is answered as an object or as a list of one. */
  readonly answersLists?: boolean;
  /** Answers in place of the system when it returns a status. `count` counts calls of the same line. */
  readonly interfere?: (line: string, count: number) => number | undefined;
};

export type CasePeer = {
  /** Ends in /api/v1. */
  readonly url: string;
  readonly cases: Case[];
  /** Requests as `METHOD path`, ids replaced by `*`. */
  readonly log: string[];
  /** Everything that was sent to it. */
  readonly bodies: string[];
  stop(): Promise<void>;
};

export const CASE_TOKEN = 'case-token-1';
/** Who the token belongs to, and who else may be assigned. */
export const CASE_LOGIN = 'analyst@soc.example';
const users = [CASE_LOGIN, 'robot@soc.example'];

export async function startCasePeer(options: CasePeerOptions = {}): Promise<CasePeer> {
  const cases: Case[] = [];
  const log: string[] = [];
  const bodies: string[] = [];
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `~${4096 + ids}`;
  };
  const caseAt = (id: string) => known(cases, id);
  const taskAt = (id: string) =>
    known(
      cases.flatMap(({ tasks }) => tasks),
      id,
    );

  const routes: { readonly [line: string]: (id: string, body: Body) => unknown } = {
    'GET /user/current': () => ({ _id: '~1', login: CASE_LOGIN }),
    'POST /case': (_, body) => {
      const { title, description, tags } = checkers.case(body);
      const made = { _id: newId(), title, description, tags, status: 'New' };
      cases.push({ ...made, comments: [], tasks: [], observables: [] });
      return made;
    },
    'GET /case/*': (id) => caseAt(id),
    'PATCH /case/*': (id, body) => void Object.assign(caseAt(id), checkers.caseChange(body)),
    'POST /case/*/task': (id, body) => {
      const task = { _id: newId(), ...checkers.task(body), status: 'Waiting', logs: [] };
      caseAt(id).tasks.push(task);
      return task;
    },
    'POST /case/*/comment': (id, body) => {
      caseAt(id).comments.push(checkers.message(body));
      return { _id: newId() };
    },
    'POST /case/*/observable': (id, body) => {
      const observable = checkers.observable(body);
      const { observables } = caseAt(id);
      demand(!observables.some(({ data }) => data === observable.data), 'already there');
      observables.push(observable);
      return [{ _id: newId() }];
    },
    'PATCH /task/*': (id, body) => void Object.assign(taskAt(id), checkers.taskChange(body, users)),
    'POST /task/*/log': (id, body) => {
      taskAt(id).logs.push(checkers.message(body));
      return { _id: newId() };
    },
    'POST /query': (_, body) => runQuery(body, cases),
  };

  function answer(request: IncomingMessage, text: string): { status: number; body: unknown } {
    const path = (request.url ?? '').replace(/^\/api\/v1\//, '');
    const [collection = '', id = '', ...more] = path.split('/').map(decodeURIComponent);
    const hasId = id !== '' && collection !== 'user';
    const parts = [collection, hasId ? '*' : id, ...more].filter((part) => part !== '');
    const line = `${request.method} /${parts.join('/')}`;
    log.push(line);
    bodies.push(text);
    if (request.headers.authorization !== `Bearer ${CASE_TOKEN}`) return { status: 401, body: {} };
    const status = options.interfere?.(line, log.filter((one) => one === line).length);
    if (status !== undefined) return { status, body: { type: 'Interfered' } };
    try {
      const route = routes[line];
      if (route === undefined || !request.url?.startsWith('/api/v1/')) {
        throw new Refused(404, 'no such path');
      }
      demand(request.headers['content-type'] === 'application/json', 'expected JSON');
      const made = route(id, text === '' ? {} : (JSON.parse(text) as Body));
      if (made === undefined) return { status: 204, body: undefined };
      const isMade = request.method === 'POST' && line !== 'POST /query';
      const asList = isMade && options.answersLists === true && !Array.isArray(made);
      return { status: isMade ? 201 : 200, body: asList ? [made] : made };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { status: error.status, body: { type: 'BadRequest', message: error.message } };
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { status, body } = answer(request, Buffer.concat(chunks).toString('utf8'));
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body === undefined ? '' : JSON.stringify(body));
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    cases,
    log,
    bodies,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function known<Entry extends { readonly _id: string }>(
  entries: readonly Entry[],
  id: string,
): Entry {
  const found = entries.find(({ _id }) => _id === id);
  if (found === undefined) throw new Refused(404, `not found: ${id}`);
  return found;
}
