/** What the case management system accepts in bodies and queries; anything else is refused with a status. */

import type { Case } from './case-peer.ts';

export type Body = { readonly [key: string]: unknown };

export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function demand(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Refused(400, message);
}

export const checkers = {
  case(body: Body) {
    only(body, ['title', 'description', 'tags']);
    return {
      title: text(body, 'title'),
      description: text(body, 'description'),
      tags: texts(body, 'tags'),
    };
  },
  caseChange(body: Body) {
    only(body, ['tags', 'status', 'summary']);
    if ('tags' in body) return { tags: texts(body, 'tags') };
    demand(['TruePositive', 'Indeterminate'].includes(text(body, 'status')), 'unknown case status');
    return { status: text(body, 'status'), summary: text(body, 'summary') };
  },
  task(body: Body) {
    only(body, ['title', 'description']);
    return { title: text(body, 'title'), description: text(body, 'description') };
  },
  taskChange(body: Body, users: readonly string[]) {
    only(body, ['status', 'assignee']);
    const status = text(body, 'status');
    demand(['InProgress', 'Completed', 'Cancel'].includes(status), 'unknown task status');
    if (!('assignee' in body)) return { status };
    const assignee = text(body, 'assignee');
    demand(users.includes(assignee), `no user ${assignee}`);
    return { status, assignee };
  },
  message(body: Body) {
    only(body, ['message']);
    return text(body, 'message');
  },
  observable(body: Body) {
    only(body, ['dataType', 'data', 'message', 'name', 'contentType']);
    const [data, ...more] = texts(body, 'data');
    demand(data !== undefined && data !== '' && more.length === 0, 'data is a list of one text');
    demand(['ip', 'other'].includes(text(body, 'dataType')), 'unknown data type');
    demand(body['name'] === '' && body['contentType'] === '', 'name and contentType are empty');
    demand(typeof body['message'] === 'string', 'message is a text');
    return { dataType: text(body, 'dataType'), data, message: body['message'] };
  },
};

/** The three queries this service makes. */
export function runQuery(body: Body, cases: readonly Case[]): readonly object[] {
  only(body, ['query']);
  const [from, filter, to] = Array.isArray(body['query']) ? (body['query'] as Body[]) : [];
  const names = [from, filter, to].map((step) => step?.['_name']).join();
  if (names === 'listObservable,filter,case') {
    const value = filter?.['data'];
    demand(typeof value === 'string' && value !== '', 'filter needs data');
    return cases.filter(({ observables }) => observables.some(({ data }) => data === value));
  }
  if (names === 'listCase,filter,') {
    const equal = filter?.['_eq'] as Body | undefined;
    demand(equal?.['_field'] === 'tags', 'filter needs a field');
    return cases.filter(({ tags }) => tags.includes(String(equal['_value'])));
  }
  demand(names === 'getCase,tasks,', `unknown query ${names}`);
  return cases.find(({ _id }) => _id === from?.['idOrName'])?.tasks ?? [];
}

function only(body: Body, members: readonly string[]): void {
  for (const member of Object.keys(body)) demand(members.includes(member), `unknown ${member}`);
}

function text(body: Body, member: string): string {
  const value = body[member];
  demand(typeof value === 'string' && value !== '', `${member} is a text`);
  return value;
}

function texts(body: Body, member: string): string[] {
  const value = body[member];
  demand(
    Array.isArray(value) && value.every((one) => typeof one === 'string'),
    `${member} is a list`,
  );
  return value;
}
