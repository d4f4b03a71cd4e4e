import { expect, test } from 'vitest';
import { appCaller } from '../fixture/functions-app.ts';
import { activityRuns, isGateWaiting, openGate } from '../fixture/orchestrations.ts';
import { aHost, eventually } from '../fixture/test-host.ts';

const waiting = (key: string) => eventually(() => isGateWaiting(key) || undefined);

test('terminate ends an instance with the reason; its running activity reports to nobody', async () => {
  const host = await aHost();
  const id = await host.begin('gatesInTurn', { keys: ['cut', 'off'] });
  await waiting('cut');

  await host.send('POST', `instances/${id}/terminate?reason=no%20more`);
  const end = await host.end(id);
  openGate('cut');
  await host.run('sequence', { steps: [1] });

  expect(end).toMatchObject({ runtimeStatus: 'Terminated', output: 'no more' });
  expect(isGateWaiting('off')).toBe(false);
  expect((await host.status(id)).runtimeStatus).toBe('Terminated');
});

test('an instance can be terminated before it ran at all', async () => {
  const host = await aHost();
  const id = await host.begin('sequence', { steps: [1] });

  await host.send('POST', `instances/${id}/terminate?reason=`);

  expect(['Terminated', 'Completed']).toContain((await host.end(id)).runtimeStatus);
});

test('queued activities of a terminated instance are not started', async () => {
  const host = await aHost({ options: { maxConcurrentActivities: 1 } });
  const id = await host.begin('gates', { keys: ['runs', 'queued'] });
  await waiting('runs');

  await host.send('POST', `instances/${id}/terminate?reason=stop`);
  await host.end(id);
  openGate('runs');
  await host.run('sequence', { steps: ['something else'] });

  expect(activityRuns).not.toContain('queued');
});

test('a suspended instance takes in what happens but schedules nothing until it is resumed', async () => {
  const host = await aHost();
  const id = await host.begin('gatesInTurn', { keys: ['before', 'after'] });
  await waiting('before');

  await host.send('POST', `instances/${id}/suspend?reason=lunch`);
  await host.until(id, ({ runtimeStatus }) => runtimeStatus === 'Suspended');
  openGate('before');
  await eventually(async () => (await host.historyOf(id)).includes('TaskCompleted') || undefined);
  const suspended = await host.status(id);
  const startedWhileSuspended = isGateWaiting('after');
  await host.send('POST', `instances/${id}/resume?reason=back`);
  await waiting('after');
  const resumed = await host.status(id);
  openGate('after');

  expect(suspended.runtimeStatus).toBe('Suspended');
  expect(startedWhileSuspended).toBe(false);
  expect(resumed.runtimeStatus).toBe('Running');
  expect((await host.end(id)).output).toBe('done');
});

test('events that arrive during a suspension are delivered in order at its end', async () => {
  const host = await aHost();
  const id = await host.begin('waitFor', { names: ['one', 'two'] });
  await host.send('POST', `instances/${id}/suspend?reason=`);
  await host.until(id, ({ runtimeStatus }) => runtimeStatus === 'Suspended');

  await host.raise(id, 'one', 1);
  await host.raise(id, 'two', 2);
  await host.send('POST', `instances/${id}/resume?reason=`);

  expect((await host.end(id)).output).toEqual([1, 2]);
});

test('a suspended instance can be terminated', async () => {
  const host = await aHost();
  const id = await host.begin('waitFor', { names: ['never'] });
  await host.send('POST', `instances/${id}/suspend?reason=`);
  await host.until(id, ({ runtimeStatus }) => runtimeStatus === 'Suspended');

  await host.send('POST', `instances/${id}/terminate?reason=over`);

  expect((await host.end(id)).runtimeStatus).toBe('Terminated');
});

test('a purged instance is gone with its history, and its running activity reports to nobody', async () => {
  const host = await aHost();
  const id = await host.begin('gatesInTurn', { keys: ['purged'] }, 'short-lived');
  await waiting('purged');

  const purge = await host.send('DELETE', `instances/${id}`);
  openGate('purged');
  await host.run('sequence', { steps: [1] });

  expect(purge).toEqual({ status: 200, body: { instancesDeleted: 1 } });
  expect((await host.send('GET', `instances/${id}`)).status).toBe(404);
  expect(await host.rowsLeft(id)).toBe(0);
});

test('a purge in the middle of an episode leaves nothing of it behind', async () => {
  const app = appCaller();
  let goOn: () => void = () => {};
  const host = await aHost({
    caller: {
      ...app,
      call: async (name, input) => {
        if (name === 'waitFor') await new Promise<void>((resolve) => (goOn = resolve));
        return app.call(name, input);
      },
    },
  });
  const id = await host.begin('waitFor', { names: ['go'] });
  await host.send('DELETE', `instances/${id}`);

  goOn();
  await host.run('sequence', { steps: [1] });

  expect((await host.send('GET', `instances/${id}`)).status).toBe(404);
  expect(await host.rowsLeft(id)).toBe(0);
});

test('a late result of a purged run does not reach a new run of the same id', async () => {
  const host = await aHost();
  await host.begin('gates', { keys: ['old'] }, 'again');
  await waiting('old');
  await host.send('DELETE', 'instances/again');
  await host.begin('gates', { keys: ['new'] }, 'again');
  await waiting('new');

  openGate('old', 'from the old run');
  await host.run('sequence', { steps: [1] });
  openGate('new', 'from the new run');

  expect((await host.end('again')).output).toEqual(['from the new run']);
});

test('starting under the id of a finished instance replaces it and its history', async () => {
  const host = await aHost();
  await host.run('sequence', { steps: [1, 2, 3] }, 'reused');

  const second = await host.run('sequence', { steps: ['x'] }, 'reused');

  expect(second.output).toEqual(['x']);
  const kinds = await host.historyOf('reused');
  expect(kinds.filter((kind) => kind === 'TaskCompleted')).toHaveLength(1);
});
