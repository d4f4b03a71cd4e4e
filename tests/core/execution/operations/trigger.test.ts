/** Triggering: what is checked, what the execution begins with, and what a repeated request answers. */

import { describe, expect, test } from 'vitest';
import { type PlaybookId, parsePlaybookId } from '../../../../core/cacao/ids.ts';
import { Refusal } from '../../../../core/errors/refusal.ts';
import { mainWalk } from '../../../../core/execution/ids.ts';
import { triggerDocument, triggerStored } from '../../../../core/execution/operations/trigger.ts';
import type { JsonObject } from '../../../../core/json.ts';
import type { Log } from '../../../../core/ports/log.ts';
import { aBench, drive, type TestBench } from '../../../support/a-bench.ts';
import { action, aPlaybook, end, playbookIdOf, start } from '../../../support/a-playbook.ts';
import { noLog } from '../../../support/no-log.ts';
import { noOrchestrations } from '../../../support/run-playbook.ts';

const steps = { start: start('a'), a: action('end'), end };
const plain = aPlaybook('p', steps);
const external = (type: string, more: JsonObject = {}) =>
  aPlaybook('p', steps, {
    playbook_variables: { __x__: { type, value: 'old', external: true, ...more } },
  });

async function store(bench: TestBench, playbook: JsonObject): Promise<PlaybookId> {
  const id = parsePlaybookId(String(playbook['id']));
  if (id === undefined) throw new Error('The playbook has no id.');
  const { playbooks } = bench.stores;
  if (!(await playbooks.add(id, playbook)).ok) await playbooks.replace(id, playbook);
  return id;
}

async function scopeAfter(playbook: JsonObject, variables: JsonObject) {
  const bench = aBench();
  const run = await triggerDocument(bench, noOrchestrations, playbook, { variables });
  return (await bench.stores.journal.open(run.executionId, mainWalk))?.variables;
}

async function refusalOf(trigger: Promise<unknown>): Promise<string> {
  const refusal = await trigger.catch((error: unknown) => error);
  if (!(refusal instanceof Refusal)) throw new Error('The trigger was not refused.');
  return refusal.code;
}

describe('a triggered playbook', () => {
  test('becomes an execution of its own every time, and is started', async () => {
    const bench = aBench();
    const started: string[] = [];
    const orchestrations = {
      ...noOrchestrations,
      start: async (id: string) => void started.push(id),
    };
    const id = await store(bench, plain);

    const runs = await Promise.all([
      triggerStored(bench, orchestrations, id, { variables: {}, caller: 'ada' }),
      triggerStored(bench, orchestrations, id, { variables: {} }),
    ]);

    const ids = runs.map(({ executionId }) => executionId);
    expect(new Set(ids).size).toBe(2);
    expect(started).toEqual(ids);
    expect(runs[0]).toMatchObject({
      playbookId: playbookIdOf('p'),
      name: 'p',
      status: 'ongoing',
      statusText: 'the playbook is being executed',
      control: 'go',
      depth: 0,
      caller: 'ada',
    });
  });

  test('is executed as it was when it was triggered, whatever is stored afterwards', async () => {
    const bench = aBench();
    const id = await store(bench, plain);
    const { executionId } = await triggerStored(bench, noOrchestrations, id, { variables: {} });

    await store(bench, aPlaybook('p', { start: start('b'), b: action('end'), end }));
    await drive(bench, executionId);

    expect(bench.performed).toEqual(['GET /a HTTP/1.1']);
  });

  test('is refused when it is not stored, or not valid any more', async () => {
    const bench = aBench();
    const missing = triggerStored(bench, noOrchestrations, playbookIdOf('none') as PlaybookId, {
      variables: {},
    });
    const broken = await store(bench, { ...plain, workflow_start: 'start--x' });

    expect(await refusalOf(missing)).toBe('playbook-missing');
    expect(await refusalOf(triggerStored(bench, noOrchestrations, broken, { variables: {} }))).toBe(
      'playbook-invalid',
    );
    expect(await bench.stores.runs.list({ order: 'oldest-first' })).toEqual([]);
  });

  test.each([
    ['revoked', { revoked: true }],
    ['not valid yet', { valid_from: '2030-01-01T00:00:00.000Z' }],
    ['not valid any more', { valid_until: '2026-01-01T10:00:00.000Z' }],
  ])('is executed although it is %s, with a warning', async (reason, more) => {
    const warnings: unknown[] = [];
    const log: Log = { ...noLog, warning: (...entry: unknown[]) => void warnings.push(entry) };

    await triggerDocument(
      aBench(undefined, { log }),
      noOrchestrations,
      { ...plain, ...more },
      { variables: {} },
    );

    expect(warnings).toEqual([
      ['execution.playbook-not-valid', { playbookId: playbookIdOf('p'), reason }],
    ]);
  });
});

describe('variables given with a trigger', () => {
  test('replace the values of external ones and nothing else of them', async () => {
    const playbook = external('integer', { description: 'd', constant: true });
    const given = { type: 'integer', name: '__x__', value: '7', description: 'mine' };

    expect(await scopeAfter(playbook, { __x__: given })).toEqual({
      __x__: { type: 'integer', value: '7', external: true, description: 'd', constant: true },
    });
  });

  test.each([
    ['a number', 'integer', 7, '7'],
    ['a boolean', 'bool', false, 'false'],
    ['an object for a dictionary', 'dictionary', { a: [1] }, '{"a":[1]}'],
    ['a list for a dictionary', 'dictionary', [1, 'b'], '[1,"b"]'],
    ['the empty text', 'string', '', ''],
  ])('may be %s', async (_, type, value, text) => {
    const scope = await scopeAfter(external(type), { __x__: { type, value } as JsonObject });

    expect(scope?.['__x__']?.value).toBe(text);
  });

  const declared = external('string');
  test.each([
    ['an undeclared name', declared, { __y__: { type: 'string', value: '1' } }, 'variable-unknown'],
    [
      'a name every object has',
      declared,
      { toString: { type: 'string', value: '1' } },
      'variable-unknown',
    ],
    [
      'a variable that is not external',
      external('string', { external: false }),
      { __x__: { type: 'string', value: '1' } },
      'variable-not-external',
    ],
    [
      'another type',
      declared,
      { __x__: { type: 'integer', value: '1' } },
      'variable-type-mismatch',
    ],
    ['no type', declared, { __x__: { value: '1' } }, 'variable-type-mismatch'],
    [
      'another name inside',
      declared,
      { __x__: { type: 'string', name: '__y__', value: '1' } },
      'variable-name-mismatch',
    ],
    [
      'a name inside that is no text',
      declared,
      { __x__: { type: 'string', name: 1, value: '1' } },
      'variable-name-mismatch',
    ],
    ['no value', declared, { __x__: { type: 'string' } }, 'variable-value-invalid'],
    [
      'null as its value',
      declared,
      { __x__: { type: 'string', value: null } },
      'variable-value-invalid',
    ],
    [
      'a tree for a text',
      declared,
      { __x__: { type: 'string', value: {} } },
      'variable-value-invalid',
    ],
    ['a bare value', declared, { __x__: '1' }, 'variable-value-invalid'],
  ])('are refused for %s', async (_, playbook, variables, code) => {
    const trigger = triggerDocument(aBench(), noOrchestrations, playbook, {
      variables: variables as JsonObject,
    });

    expect(await refusalOf(trigger)).toBe(code);
  });
});

describe('a repeated trigger with the same idempotency key', () => {
  const trigger = { variables: {}, idempotencyKey: 'k' };

  test('answers the first execution and starts no other', async () => {
    const bench = aBench();
    const first = await triggerDocument(bench, noOrchestrations, plain, trigger);

    const second = await triggerDocument(bench, noOrchestrations, plain, trigger);

    expect(second.executionId).toBe(first.executionId);
    expect(await bench.stores.runs.list({ order: 'oldest-first' })).toHaveLength(1);
    expect(bench.events.filter(({ kind }) => kind === 'execution-started')).toHaveLength(1);
  });

  test('answers it also when both arrive at once', async () => {
    const bench = aBench();

    const runs = await Promise.all(
      [1, 2, 3].map(() => triggerDocument(bench, noOrchestrations, plain, trigger)),
    );

    expect(new Set(runs.map(({ executionId }) => executionId)).size).toBe(1);
  });

  test('starts the first one again as long as it runs, in case its start was lost', async () => {
    const bench = aBench();
    const started: string[] = [];
    const orchestrations = {
      ...noOrchestrations,
      start: async (id: string) => void started.push(id),
    };
    const { executionId } = await triggerDocument(bench, orchestrations, plain, trigger);

    await triggerDocument(bench, orchestrations, plain, trigger);
    await drive(bench, executionId);
    const last = await triggerDocument(bench, orchestrations, plain, trigger);

    expect(started).toEqual([executionId, executionId]);
    expect(last.status).toBe('successfully_executed');
  });

  test('answers it although the stored playbook was changed in between', async () => {
    const bench = aBench();
    const id = await store(bench, plain);
    const first = await triggerStored(bench, noOrchestrations, id, trigger);
    await store(bench, { ...plain, name: 'changed' });

    const second = await triggerStored(bench, noOrchestrations, id, trigger);

    expect(second.executionId).toBe(first.executionId);
  });

  test('is refused for another request', async () => {
    const bench = aBench();
    const id = await store(bench, plain);
    await triggerDocument(bench, noOrchestrations, plain, trigger);
    const other = aPlaybook('q', steps);

    expect(await refusalOf(triggerDocument(bench, noOrchestrations, other, trigger))).toBe(
      'idempotency-key-reused',
    );
    expect(await refusalOf(triggerStored(bench, noOrchestrations, id, trigger))).toBe(
      'idempotency-key-reused',
    );
  });
});
