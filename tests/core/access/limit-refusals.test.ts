import { expect, test } from 'vitest';
import { limitRefusals } from '../../../core/access/limit-refusals.ts';
import type { LogFields } from '../../../core/ports/log.ts';

function aLog() {
  const lines: LogFields[] = [];
  let nowMs = 0;
  const log = limitRefusals(
    { record: (event, fields) => lines.push({ event, ...fields }) },
    { now: () => nowMs },
  );
  const refuse = (times: number, fields: LogFields = { code: 'unauthenticated' }) => {
    for (let count = 0; count < times; count += 1) log.record('access_refused', fields);
  };
  return { lines, log, refuse, pass: (ms: number) => (nowMs += ms) };
}

const accountedFor = (lines: readonly LogFields[]) =>
  lines.reduce((sum, line) => sum + 1 + Number(line['leftOut'] ?? 0), 0);

test('twenty refusals are written one by one', () => {
  const { lines, refuse } = aLog();

  refuse(20);

  expect(lines).toHaveLength(20);
});

test('a flood of refusals leaves few lines that still count it', () => {
  const { lines, refuse, pass } = aLog();

  refuse(100_000);
  const written = lines.length;
  pass(60_000);
  refuse(1);

  expect(written).toBeLessThan(40);
  expect(accountedFor(lines)).toBe(100_001);
});

test('each caller and each kind of refusal has lines of its own', () => {
  const { lines, refuse } = aLog();

  refuse(1000);
  refuse(1, { code: 'forbidden', caller: 'ada' });
  refuse(1, { code: 'token-invalid' });

  expect(lines.slice(-2).map(({ code }) => code)).toEqual(['forbidden', 'token-invalid']);
});

test('other events are never left out', () => {
  const { lines, log } = aLog();

  for (let count = 0; count < 100; count += 1) log.record('playbook_created', {});

  expect(lines).toHaveLength(100);
});
