import { describe, expect, test } from 'vitest';
import { changeTheCode } from '../fixture/orchestrations.ts';
import { aHost } from '../fixture/test-host.ts';

describe.each(['live', 'json'] as const)('on the %s route', (route) => {
  test('activities run one after the other and their results come back unchanged', async () => {
    const host = await aHost({ options: { route } });
    const steps = ['text', '123', '{"a":1}', 'true', 7, 1.5, false, null, { a: [1] }, []];

    const status = await host.run('sequence', { steps });

    expect(status).toMatchObject({ runtimeStatus: 'Completed', output: steps });
  });

  test('an activity that returns nothing gives null, one that returns bytes gives base64', async () => {
    const host = await aHost({ options: { route } });

    const nothing = await host.run('call', { name: 'nothing' });
    const bytes = await host.run('call', { name: 'bytes' });

    expect(nothing.output).toBe(null);
    expect(bytes.output).toBe('AQID');
  });

  test('an orchestrator that writes into its input and its clock sees both afresh each time', async () => {
    const host = await aHost({ options: { route } });

    const status = await host.run('spoiler', { list: [9], Timestamp: '2020-01-01T00:00:00Z' });

    expect(status.runtimeStatus).toBe('Completed');
    expect(status.output).toEqual([1, { step: 0 }, 2, { step: 1 }, 3, { step: 2 }]);
    expect(status.input).toEqual({ list: [9], Timestamp: '2020-01-01T00:00:00Z' });
    const { historyEvents } = await host.status(status.instanceId, '?showHistory=true');
    const years = historyEvents?.map((event) => String(event['Timestamp']).slice(0, 4));
    expect(new Set(years)).toEqual(new Set([String(new Date().getFullYear())]));
  });

  test('a failed activity is an error its orchestrator can catch', async () => {
    const host = await aHost({ options: { route } });

    const caught = await host.run('callCaught', { name: 'fail', input: 'boom' });

    expect(caught.runtimeStatus).toBe('Completed');
    const { caught: message } = caught.output as { caught: string };
    expect(message).toMatch(/^Activity function 'fail' failed: boom \n /);
    expect(message).toContain('TypeError');
  });

  test('an error the orchestrator does not catch fails the instance with its text', async () => {
    const host = await aHost({ options: { route } });

    const status = await host.run('throws', { message: 'enough' });

    expect(status).toMatchObject({
      runtimeStatus: 'Failed',
      output: "Orchestrator function 'throws' failed: enough",
    });
  });

  test('an error without a message fails the instance all the same', async () => {
    const host = await aHost({ options: { route } });

    const status = await host.run('throws', { message: '' });

    expect(status.runtimeStatus).toBe('Failed');
  });
});

test('both routes write the same history', async () => {
  const histories = await Promise.all(
    (['live', 'json'] as const).map(async (route) => {
      const host = await aHost({ options: { route }, deps: { now: () => 1_000_000 } });
      const ids = ['one', 'two', 'three'];
      await host.run('sequence', { steps: ['a', { b: 1 }, null] }, ids[0]);
      await host.run('callCaught', { name: 'fail', input: 'x' }, ids[1]);
      await host.run('retry', { key: `same ${route}`, failures: 0, attempts: 2 }, ids[2]);
      const show = '?showHistory=true&showHistoryOutput=true';
      const shown = await Promise.all(ids.map((id) => host.status(id, show)));
      return JSON.stringify(shown)
        .replaceAll(route, 'route')
        .replaceAll(/"ExecutionId":"[^"]+"/g, '')
        .replaceAll(/\\"stack\\":.*?(?=\}")/g, '');
    }),
  );

  expect(histories[0]).toBe(histories[1]);
});

test('one activity leaves four events per episode, in the order of the protocol', async () => {
  const host = await aHost();

  const { instanceId } = await host.run('sequence', { steps: ['only'] });

  expect(await host.historyOf(instanceId)).toEqual([
    'OrchestratorStarted',
    'ExecutionStarted',
    'TaskScheduled',
    'OrchestratorCompleted',
    'OrchestratorStarted',
    'TaskCompleted',
    'ExecutionCompleted',
    'OrchestratorCompleted',
  ]);
});

test('names of activities are found whatever their letter case', async () => {
  const host = await aHost();

  const status = await host.run('CALL', { name: 'ECHO', input: 'hello' });

  expect(status).toMatchObject({ name: 'call', runtimeStatus: 'Completed', output: 'hello' });
});

test('an activity the app does not have fails the instance, caught or not', async () => {
  const host = await aHost();

  const status = await host.run('callCaught', { name: 'absent', input: 1 });

  expect(status).toMatchObject({
    runtimeStatus: 'Failed',
    output:
      "Orchestrator function 'callCaught' failed: " +
      "The function 'absent' is not registered as an activity.",
  });
});

test('yielding something that is no task fails the instance', async () => {
  const host = await aHost();

  const status = await host.run('yieldsNothing');

  expect(status.runtimeStatus).toBe('Failed');
  expect(status.output).toContain('programming constraint violation');
});

test('a call the engine does not support fails the instance and says which', async () => {
  const host = await aHost();

  const status = await host.run('http');

  expect(status.output).toBe(
    "Orchestrator function 'http' failed: The local durable engine does not support callHttp.",
  );
});

test('code that changed under a running instance fails it as non-deterministic', async () => {
  const host = await aHost();
  const id = await host.begin('changing');
  await host.until(id, ({ runtimeStatus }) => runtimeStatus === 'Running');
  changeTheCode();

  await host.raise(id, 'go', null);

  expect(await host.end(id)).toMatchObject({
    runtimeStatus: 'Failed',
    output:
      "Orchestrator function 'changing' failed: Non-deterministic orchestration: as task 0 the " +
      "history holds activity 'echo', but the code now asks for activity 'nothing'.",
  });
});

test('an orchestrator that asks for too many actions is stopped', async () => {
  const host = await aHost({ options: { maxOrchestrationActions: 20 } });

  const status = await host.run('many', { count: 100 });

  expect(status.output).toContain('more than 20 actions');
});
