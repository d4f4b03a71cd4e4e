import { expect, test } from 'vitest';
import { isGateWaiting, openGate } from '../fixture/orchestrations.ts';
import { aHost, eventually } from '../fixture/test-host.ts';

test('a child gets its input and its parent gets the output', async () => {
  const host = await aHost();

  const status = await host.run('parent', { child: 'sequence', input: { steps: ['"quoted"', 2] } });

  expect(status.output).toEqual({ child: ['"quoted"', 2] });
});

test('a child knows its parent, inherits the default version, and is named after its task', async () => {
  const host = await aHost({ options: { defaultVersion: '2.1' } });

  const { output } = await host.run('parent', { child: 'whoAmI', input: {} }, 'father');

  const { child } = output as { child: { instanceId: string } };
  expect(child).toMatchObject({ parentInstanceId: 'father', version: '2.1' });
  expect(child.instanceId).toMatch(/^[0-9a-f-]{36}:0$/);
  expect((await host.status(child.instanceId)).runtimeStatus).toBe('Completed');
});

test('a child that fails is an error its parent can catch', async () => {
  const host = await aHost();

  const { output } = await host.run('parent', { child: 'throws', input: { message: 'no' } });

  const { caught } = output as { caught: string };
  expect(caught).toContain("Orchestrator function 'throws' failed: no \n Message: ");
});

test('a child that is terminated fails its parent, which cannot catch it', async () => {
  const host = await aHost();
  const input = { child: 'waitFor', input: { names: ['never'] }, childId: 'kid' };
  const parent = await host.begin('parent', input);
  await eventually(
    async () => (await host.send('GET', 'instances/kid')).status === 202 || undefined,
  );

  await host.send('POST', 'instances/kid/terminate?reason=enough');

  expect((await host.end('kid')).output).toBe('enough');
  const end = await host.end(parent);
  expect(end.runtimeStatus).toBe('Failed');
  expect(end.output).toContain('could not parse its exception data');
});

test('terminating a parent leaves its child running', async () => {
  const host = await aHost();
  const input = { child: 'gatesInTurn', input: { keys: ['orphan'] }, childId: 'child' };
  const parent = await host.begin('parent', input);
  await eventually(() => isGateWaiting('orphan') || undefined);

  await host.send('POST', `instances/${parent}/terminate?reason=stop`);
  expect((await host.end(parent)).runtimeStatus).toBe('Terminated');
  openGate('orphan');

  expect((await host.end('child')).output).toBe('done');
  expect((await host.status(parent)).output).toBe('stop');
});

test('a child id that is taken by an active instance is not started, and the log says so', async () => {
  const host = await aHost();
  await host.begin('waitFor', { names: ['never'] }, 'taken');

  const parent = await host.begin('parent', { child: 'whoAmI', input: {}, childId: 'taken' });
  await eventually(() => host.log.lines.find(({ event }) => event === 'durable.child_id_taken'));

  expect((await host.status(parent)).runtimeStatus).toBe('Running');
  expect((await host.status('taken')).name).toBe('waitFor');
});

test('a child id that no back end could hold fails the parent', async () => {
  const host = await aHost();

  const { output } = await host.run('parent', { child: 'whoAmI', input: {}, childId: 'a/b' });

  expect(output).toContain('An instance id must not hold /');
});

test('a child the app does not have fails the parent', async () => {
  const host = await aHost();

  const { output } = await host.run('parent', { child: 'absent', input: {} });

  expect(output).toContain("The function 'absent' is not registered as an orchestrator.");
});
