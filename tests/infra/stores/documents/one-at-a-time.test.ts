import { expect, test } from 'vitest';
import { OneAtATime } from '../../../../infra/stores/documents/one-at-a-time.ts';

function aGate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: resolve };
}

test('work of one name is done in the order it came, that of another name meanwhile', async () => {
  const turns = new OneAtATime();
  const done: string[] = [];
  const gate = aGate();

  const all = [
    turns.run('a', () => gate.promise.then(() => done.push('first'))),
    turns.run('a', async () => done.push('second')),
    turns.run('b', async () => done.push('other')).then(() => gate.open()),
  ];
  await Promise.all(all);

  expect(done).toEqual(['other', 'first', 'second']);
});

test('work that fails fails for whoever asked for it, and holds nobody up', async () => {
  const turns = new OneAtATime();

  const failing = turns.run('a', async () => {
    throw new Error('no');
  });
  const next = turns.run('a', async () => 'done');

  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
});
