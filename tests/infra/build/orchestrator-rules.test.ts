import { describe, expect, test } from 'vitest';
import { orchestratorViolations } from '../../../infra/build/orchestrator-rules.ts';

const rulesBrokenBy = async (source: string) =>
  (await orchestratorViolations(source)).map(({ rule, line }) => `${line} ${rule}`);

test('an orchestrator written in the safe subset breaks no rule', async () => {
  const source = `
    import * as df from 'durable-functions';
    import type { Run } from '../../core/execution/run.ts';
    const turnsPerGeneration = 30;
    type Later = Promise<Run>;
    export function* drive(context: df.OrchestrationContext) {
      const started = new Date(context.df.currentUtcDateTime.getTime() + 5).getTime() as number;
      for (let turns = 0; ; turns += 1) {
        const reply: unknown = yield context.df.callActivity('turn', { started });
        if (reply === 'end') return { promise: 'kept' };
        if (turns === turnsPerGeneration) {
          context.df.setCustomStatus({ turns });
          context.df.continueAsNew({ turns });
          return;
        }
        if (turns < 0) return context.df.continueAsNew({ turns });
      }
    }`;

  expect(await rulesBrokenBy(source)).toEqual([]);
});

describe('the rules for replayed code refuse', () => {
  test.each([
    ['synchronous', 'async function f() {}'],
    ['synchronous', 'const f = async () => 1;'],
    ['synchronous', 'class A { async f() {} }'],
    ['synchronous', 'await f();'],
    ['synchronous', 'for await (const x of y) f(x);'],
    ['synchronous', 'f(Promise.all([]));'],
    ['clock', 'f(Date.now());'],
    ['clock', 'f(new Date());'],
    ['clock', 'f(new Date);'],
    ['clock', 'f(Date());'],
    ['randomness', 'f(Math.random());'],
    ['durable-subset', 'c.df.callActivityWithRetry();'],
    ['durable-subset', 'c.df.callSubOrchestratorWithRetry();'],
    ['durable-subset', "df.activity('a')({}).withRetry(r);"],
    ['durable-subset', 'c.df.callHttp({});'],
    ['durable-subset', 'c.df.callEntity(e);'],
    ['durable-subset', 'c.df.lock();'],
    ['no-module-state', 'let cache = 1;'],
    ['no-module-state', 'export var cache = 1;'],
    ['no-locale', 'f(x.toLocaleString());'],
    ['no-locale', 'f(a.localeCompare(b));'],
    ['no-for-in', 'for (const k in o) f(k);'],
    ['no-finally', 'try { f(); } finally { g(); }'],
    ['no-global-object', 'f(globalThis.x);'],
  ])('%s: %s', async (rule, source) => {
    expect(await rulesBrokenBy(`// first line\n${source}`)).toContain(`2 ${rule}`);
  });

  test.each([
    ['yield-of-no-task', 'yield c.df.setCustomStatus({});'],
    ['yield-of-no-task', 'yield (c.df.continueAsNew({}));'],
    ['yield-of-no-task', 'yield c.df.signalEntity(e);'],
    ['continue-as-new-object', "return c.df.continueAsNew('text');"],
    ['continue-as-new-object', 'return c.df.continueAsNew(`text`);'],
    ['clock', 'f(Date.now() as number);'],
  ])('%s: %s', async (rule, source) => {
    expect(await rulesBrokenBy(`function* g() {\n${source}\n}`)).toContain(`2 ${rule}`);
  });

  test('going on after continueAsNew', async () => {
    const source = `function* g(c) {
      if (c.a) { c.df.continueAsNew({}); f(); }
      switch (c.b) { case 1: c.df.continueAsNew({}); break; }
    }`;

    expect(await rulesBrokenBy(source)).toEqual([
      '2 continue-as-new-returns',
      '3 continue-as-new-returns',
    ]);
  });
});
