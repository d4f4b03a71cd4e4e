/** /manual from outside. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.ts';
import { action, aPlaybook, byPerson, end, idOf, start } from '../support/a-playbook.ts';
import { type Client, clientOf, until } from '../support/client.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let ask: Client;

beforeAll(async () => {
  service = await startService();
  ask = clientOf(service.url);
});
afterAll(() => service.dispose());

const variables = {
  playbook_variables: {
    __verdict__: { type: 'string', description: 'what it is', value: 'unknown' },
    __score__: { type: 'integer', value: '0' },
  },
};

/** Starts a playbook with one manual step called `ask` and waits until it is pending. */
async function pendingStep(name: string, step: JsonObject = {}, more: JsonObject = variables) {
  const playbook = aPlaybook(
    name,
    { start: start('ask'), ask: action('end', { ...byPerson, ...step }), end },
    more,
  );
  const headers = { prefer: 'respond-async' };
  const { json } = await ask('POST', '/trigger/playbook', { body: playbook, headers });
  const execution_id = json['execution-id'];
  const step_id = idOf('action', 'ask');
  const path = `/manual/${execution_id}/${step_id}`;
  const pending = await until(
    () => ask('GET', path),
    ({ status }) => status === 200,
  );
  return { playbook, execution_id, step_id, path, command: pending.json };
}

const ended = (execution_id: string) =>
  until(
    () => ask('GET', `/reporter/${execution_id}`),
    ({ status }) => status === 200,
  );

const answer = (body: unknown) => ask('POST', '/manual/continue', { body });

test('a pending command shows all an operator needs', async () => {
  const { playbook, execution_id, step_id, command } = await pendingStep('shown', {
    description: 'Look at the host',
    out_args: ['__verdict__', '__new__'],
  });

  expect(command).toEqual({
    type: 'manual-step-information',
    execution_id,
    playbook_id: playbook.id,
    step_id,
    description: 'Look at the host',
    command: 'Look and tell',
    command_is_base64: false,
    targets: {},
    out_args: {
      __verdict__: {
        type: 'string',
        name: '__verdict__',
        description: 'what it is',
        value: 'unknown',
        constant: false,
        external: false,
      },
      __new__: {
        type: 'string',
        name: '__new__',
        description: '',
        value: '',
        constant: false,
        external: false,
      },
    },
  });
  const list = (await ask('GET', '/manual')).json;
  expect(list).toContainEqual(command);
});

test('a successful answer ends the step and its values enter the playbook', async () => {
  const { execution_id, step_id, playbook } = await pendingStep('answered', {
    out_args: ['__verdict__'],
  });

  const accepted = await answer({
    type: 'manual-step-response',
    execution_id,
    playbook_id: playbook.id,
    step_id,
    response_status: 'success',
    response_out_args: { __verdict__: { type: 'string', name: '__verdict__', value: 'bad' } },
  });
  const report = (await ended(execution_id)).json;

  expect(accepted.status).toBe(200);
  expect(accepted.json).toEqual({
    'execution-id': execution_id,
    'playbook-id': playbook.id,
    step_id,
  });
  expect(report.status).toBe('successfully_executed');
  expect(report.step_results[step_id]).toMatchObject({
    status: 'successfully_executed',
    executed_by: 'operator',
    automated_execution: false,
    variables: { __verdict__: { value: 'bad' } },
  });
});

test('an answer of failure fails the step without values', async () => {
  const { execution_id, step_id } = await pendingStep('declined', { out_args: ['__verdict__'] });

  await answer({ execution_id, step_id, response_status: 'failure' });

  const report = (await ended(execution_id)).json;
  expect(report.status).toBe('failed');
  expect(report.step_results[step_id].status).toBe('failed');
});

test('an answered command is gone: a second answer and a look are 404', async () => {
  const { execution_id, step_id, path } = await pendingStep('twice');
  const body = { execution_id, step_id, response_status: 'success' };

  const answers = await Promise.all([answer(body), answer(body), answer(body)]);
  const later = await answer(body);

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404]);
  expect(later.status).toBe(404);
  expect(later.json.status).toBe('404');
  expect((await ask('GET', path)).status).toBe(404);
});

test('a command nobody answers in time fails its step, and then it is 404', async () => {
  const { execution_id, step_id, path } = await pendingStep('late', { timeout: 600 });

  const report = (await ended(execution_id)).json;

  expect(report.step_results[step_id].status).toBe('timeout_error');
  expect((await ask('GET', path)).status).toBe(404);
  const late = await answer({ execution_id, step_id, response_status: 'success' });
  expect(late.status).toBe(404);
});

test('a step with two commands asks one after the other', async () => {
  const commands = [
    { type: 'manual', command: 'first' },
    { type: 'manual', command_b64: btoa('second') },
  ];
  const { execution_id, step_id, path, command } = await pendingStep('two', { commands });
  const body = { execution_id, step_id, response_status: 'success' };

  await answer(body);
  const second = await until(
    () => ask('GET', path),
    ({ json }) => json?.command_is_base64 === true,
  );
  await answer(body);

  expect(command.command).toBe('first');
  expect(atob(second.json.command)).toBe('second');
  const report = (await ended(execution_id)).json;
  expect(report.step_results[step_id].commands_b64.map(atob)).toEqual(['first', 'second']);
});

describe('an answer that does not fit leaves the command pending:', () => {
  const filled = { __verdict__: { value: 'bad' }, __score__: { value: '3' } };

  test.each<[string, object, number]>([
    ['a missing variable', { response_out_args: { __verdict__: { value: 'bad' } } }, 400],
    ['no variables at all', { response_out_args: {} }, 400],
    [
      'a variable nobody asked for',
      { response_out_args: { ...filled, __more__: { value: '' } } },
      400,
    ],
    [
      'another type',
      { response_out_args: { ...filled, __score__: { type: 'string', value: '3' } } },
      400,
    ],
    [
      'another name inside',
      { response_out_args: { ...filled, __score__: { name: '__x__', value: '3' } } },
      400,
    ],
    [
      'a variable without value',
      { response_out_args: { ...filled, __score__: { type: 'integer' } } },
      400,
    ],
    ['an unknown status', { response_status: 'maybe', response_out_args: filled }, 400],
    ['no status', { response_status: undefined, response_out_args: filled }, 400],
    ['another playbook', { playbook_id: 'playbook--x', response_out_args: filled }, 400],
    ['no step', { step_id: undefined, response_out_args: filled }, 400],
    ['an id that is no UUID', { execution_id: 'x', response_out_args: filled }, 400],
    ['an unknown step', { step_id: idOf('action', 'other'), response_out_args: filled }, 404],
  ])('%s', async (name, wrong, status) => {
    const { execution_id, step_id, path } = await pendingStep(name, {
      out_args: ['__verdict__', '__score__'],
    });

    const refused = await answer({ execution_id, step_id, response_status: 'success', ...wrong });

    expect(refused.status).toBe(status);
    expect((await ask('GET', path)).status).toBe(200);
    await answer({ execution_id, step_id, response_status: 'failure' });
    await ended(execution_id);
  });
});

describe('an operator may steer the execution', () => {
  test('a cancelled execution ends as failed and its command disappears', async () => {
    const { execution_id, path } = await pendingStep('cancelled');

    const cancelled = await ask('POST', `/execution/${execution_id}/cancel`);
    const report = (await ended(execution_id)).json;

    expect(cancelled.status).toBe(202);
    expect(report.status).toBe('failed');
    expect(report.errors).toEqual(['The execution was cancelled.']);
    expect((await ask('GET', path)).status).toBe(404);
    expect((await ask('POST', `/execution/${execution_id}/cancel`)).status).toBe(409);
  });

  test('a paused execution takes no further step until it is resumed', async () => {
    const { execution_id, step_id } = await pendingStep('paused');

    await ask('POST', `/execution/${execution_id}/pause`);
    await answer({ execution_id, step_id, response_status: 'success' });
    const paused = await ask('GET', `/reporter/${execution_id}`);
    await ask('POST', `/execution/${execution_id}/resume`);

    expect(paused.status).toBe(206);
    expect(paused.json.status_text).toBe('the execution is paused');
    expect((await ended(execution_id)).json.status).toBe('successfully_executed');
  });

  test('an unknown execution is 404', async () => {
    const path = '/execution/5f0c2c3e-6a0b-4a55-9d6b-0a3f6f8d1c01/cancel';

    expect((await ask('POST', path)).status).toBe(404);
  });
});
