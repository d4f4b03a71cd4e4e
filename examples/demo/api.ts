/** The calls of the REST API that the demo makes, with the types the product itself answers with. */

import type { Static } from 'typebox';
import type { JsonObject } from '../../core/json.ts';
import type { executionReferenceSchema } from '../../functions/http/wire/execution-reference.ts';
import type { manualCommandSchema } from '../../functions/http/wire/manual.ts';
import type { reportSchema } from '../../functions/http/wire/report.ts';

export type Report = Static<typeof reportSchema>;
export type StepResult = Report['step_results'][string];
export type ManualCommand = Static<typeof manualCommandSchema>;

export type Api = {
  store(playbook: JsonObject): Promise<void>;
  /** Answers the id of the execution at once. */
  trigger(playbookId: string, variables: JsonObject): Promise<string>;
  report(executionId: string): Promise<{ readonly report: Report; readonly finished: boolean }>;
  pending(): Promise<readonly ManualCommand[]>;
  answer(command: ManualCommand, values: JsonObject): Promise<void>;
};

export function apiAt(base: string, signal: AbortSignal): Api {
  const call = async (method: string, path: string, body?: unknown, headers = {}) => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers,
      signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return { status: response.status, json: JSON.parse(text) as unknown };
  };
  return {
    async store(playbook) {
      await call('POST', '/playbook', playbook);
    },
    async trigger(playbookId, variables) {
      const path = `/trigger/playbook/${playbookId}`;
      const { json } = await call('POST', path, variables, { prefer: 'respond-async' });
      return (json as Static<typeof executionReferenceSchema>)['execution-id'];
    },
    async report(executionId) {
      const { status, json } = await call('GET', `/reporter/${executionId}`);
      return { report: json as Report, finished: status === 200 };
    },
    async pending() {
      const { json } = await call('GET', '/manual');
      return json as readonly ManualCommand[];
    },
    async answer({ execution_id, playbook_id, step_id }, values) {
      const response = { execution_id, playbook_id, step_id, response_status: 'success' };
      await call('POST', '/manual/continue', { ...response, response_out_args: values });
    },
  };
}
