import { describe, expect, test } from 'vitest';
import { Hooks, UnknownHookError } from '../../../../infra/local/worker/hooks.ts';

describe('hooks', () => {
  test('run one after another in the order of their registration, on one shared object', async () => {
    const hooks = new Hooks();
    const order: string[] = [];
    hooks.register('preInvocation', async (context) => {
      await new Promise((resolve) => setImmediate(resolve));
      Object.assign(context, { mark: 'first' });
      order.push('first');
    });
    hooks.register('preInvocation', (context) => {
      order.push(`second sees ${JSON.stringify(context)}`);
    });

    await hooks.run('preInvocation', {});

    expect(order).toEqual(['first', 'second sees {"mark":"first"}']);
  });

  test('one that throws keeps the later ones from running', async () => {
    const hooks = new Hooks();
    let ran = false;
    hooks.register('appStart', () => {
      throw new Error('no');
    });
    hooks.register('appStart', () => {
      ran = true;
    });

    await expect(hooks.run('appStart', {})).rejects.toThrow('no');
    expect(ran).toBe(false);
  });

  test('a hook taken back runs no more', async () => {
    const hooks = new Hooks();
    const calls: string[] = [];
    const kept = () => calls.push('kept');
    hooks.register('appTerminate', kept);
    const registration = hooks.register('appTerminate', () => calls.push('taken back'));

    registration.dispose();
    registration.dispose();
    await hooks.run('appTerminate', {});

    expect(calls).toEqual(['kept']);
  });

  test('an unknown kind is refused in the way the library recognises', () => {
    const register = () => new Hooks().register('midInvocation', () => undefined);

    expect(register).toThrow(UnknownHookError);
    expect(register).toThrow(RangeError);
    expect(register).toThrow(
      expect.objectContaining({ name: 'RangeError', isAzureFunctionsSystemError: true }),
    );
  });

  test('a log line written by a log hook meets no hook', () => {
    const hooks = new Hooks();
    let calls = 0;
    hooks.register('log', () => {
      calls += 1;
      hooks.runLog({});
    });

    hooks.runLog({});
    hooks.runLog({});

    expect(calls).toBe(2);
  });

  test('a log hook that throws is named, and the others still run', () => {
    const hooks = new Hooks();
    let ran = false;
    hooks.register('log', () => {
      throw new Error('full');
    });
    hooks.register('log', () => {
      ran = true;
    });

    expect(hooks.runLog({})).toEqual(['full']);
    expect(ran).toBe(true);
  });
});
