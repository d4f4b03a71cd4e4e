/** Calls of the case management system's API, version 1: cases, their tasks, comments and observables. */

import type { JsonObject } from '../../../core/json.ts';
import type { PatientCalls } from '../patient-calls.ts';
import { firstId, objectsIn, textIn, textsIn } from './case-answers.ts';

export type CaseServer = {
  /** Ends in `/api/v1`. */
  readonly baseUrl: string;
  readonly token: string;
};

export type CaseContent = {
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
};

export type TaskContent = { readonly title: string; readonly description: string };

export type TaskChange = {
  readonly status: 'InProgress' | 'Completed' | 'Cancel';
  readonly assignee?: string;
};

export type CaseChange =
  | { readonly tags: readonly string[] }
  | { readonly status: 'TruePositive' | 'Indeterminate'; readonly summary: string };

export type Observable = {
  readonly dataType: 'ip' | 'other';
  readonly value: string;
  readonly message: string;
};

/** Every call rejects with CallFailed, or with the signal's reason. */
export interface CaseApi {
  openCase(content: CaseContent, signal: AbortSignal): Promise<string>;
  changeCase(id: string, change: CaseChange, signal: AbortSignal): Promise<void>;
  tagsOf(id: string, signal: AbortSignal): Promise<readonly string[]>;
  comment(id: string, message: string, signal: AbortSignal): Promise<void>;
  observe(id: string, observable: Observable, signal: AbortSignal): Promise<void>;
  openTask(caseId: string, content: TaskContent, signal: AbortSignal): Promise<string>;
  changeTask(id: string, change: TaskChange, signal: AbortSignal): Promise<void>;
  logTask(id: string, message: string, signal: AbortSignal): Promise<void>;
  /** Of the owner of the token. */
  login(signal: AbortSignal): Promise<string | undefined>;
  /** The first case that has this observable. */
  caseWithObservable(value: string, signal: AbortSignal): Promise<string | undefined>;
  caseWithTag(tag: string, signal: AbortSignal): Promise<string | undefined>;
  tasksOf(
    caseId: string,
    signal: AbortSignal,
  ): Promise<readonly { readonly id: string; readonly description: string }[]>;
}

export function createCaseApi({ baseUrl, token }: CaseServer, calls: PatientCalls): CaseApi {
  async function call(method: string, path: string, signal: AbortSignal, body?: object) {
    const make = () => ({
      url: new URL(`${baseUrl}${path}`),
      method,
      headers: [
        ['Authorization', `Bearer ${token}`],
        ['Content-Type', 'application/json'],
      ] as const,
      ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body), 'utf8') }),
    });
    return objectsIn(await calls.call(make, signal));
  }

  const query = (steps: readonly JsonObject[], signal: AbortSignal) =>
    call('POST', '/query', signal, { query: steps });
  const caseAt = (id: string) => `/case/${encodeURIComponent(id)}`;
  const taskAt = (id: string) => `/task/${encodeURIComponent(id)}`;

  return {
    openCase: async (content, signal) => firstId(await call('POST', '/case', signal, content)),
    async changeCase(id, change, signal) {
      await call('PATCH', caseAt(id), signal, change);
    },
    tagsOf: async (id, signal) => textsIn((await call('GET', caseAt(id), signal))[0], 'tags'),
    async comment(id, message, signal) {
      await call('POST', `${caseAt(id)}/comment`, signal, { message });
    },
    async observe(id, { dataType, value, message }, signal) {
      const observable = { dataType, data: [value], message, name: '', contentType: '' };
      await call('POST', `${caseAt(id)}/observable`, signal, observable);
    },
    openTask: async (caseId, content, signal) =>
      firstId(await call('POST', `${caseAt(caseId)}/task`, signal, content)),
    async changeTask(id, change, signal) {
      await call('PATCH', taskAt(id), signal, change);
    },
    async logTask(id, message, signal) {
      await call('POST', `${taskAt(id)}/log`, signal, { message });
    },
    login: async (signal) => textIn((await call('GET', '/user/current', signal))[0], 'login'),
    async caseWithObservable(value, signal) {
      const steps = [
        { _name: 'listObservable' },
        { _name: 'filter', data: value },
        { _name: 'case' },
      ];
      return textIn((await query(steps, signal))[0], '_id');
    },
    async caseWithTag(tag, signal) {
      const isTagged = { _eq: { _field: 'tags', _value: tag } };
      const steps = [{ _name: 'listCase' }, { _name: 'filter', ...isTagged }];
      return textIn((await query(steps, signal))[0], '_id');
    },
    async tasksOf(caseId, signal) {
      const steps = [{ _name: 'getCase', idOrName: caseId }, { _name: 'tasks' }];
      return (await query(steps, signal)).flatMap((task) => {
        const [id, description] = [textIn(task, '_id'), textIn(task, 'description')];
        return id === undefined || description === undefined ? [] : [{ id, description }];
      });
    },
  };
}
