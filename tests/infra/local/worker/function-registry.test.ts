import { describe, expect, test } from 'vitest';
import { FunctionRegistry } from '../../../../infra/local/worker/function-registry.ts';

const trigger = { type: 'httpTrigger', direction: 'in', route: 'x' };
const handler = () => undefined;

describe('the registry of functions', () => {
  test('finds bindings by their type and functions without regard to case', () => {
    const registry = new FunctionRegistry();
    const metadata = {
      name: 'Ping',
      bindings: {
        httpTrigger1a2b: trigger,
        client: { type: 'durableClient', direction: 'in' },
        $return: { type: 'http', direction: 'out' },
      },
    };

    registry.register(metadata, handler);

    expect(registry.find('PING')).toEqual({
      id: 'Ping',
      name: 'Ping',
      metadata,
      callback: handler,
      trigger: { name: 'httpTrigger1a2b', options: trigger },
      triggerType: 'httptrigger',
      extraInputs: [{ name: 'client', type: 'durableclient' }],
    });
  });

  test('a name that is taken is refused, whatever its case', () => {
    const registry = new FunctionRegistry();
    registry.register({ name: 'ping', bindings: { trigger } }, handler);

    expect(() => registry.register({ name: 'PING', bindings: { trigger } }, handler)).toThrow(
      'A function named "PING" is registered already.',
    );
  });

  test('nothing is registered once the app has started', () => {
    const registry = new FunctionRegistry();
    registry.close();

    expect(() => registry.register({ name: 'late', bindings: { trigger } }, handler)).toThrow(
      'The function "late" cannot be registered: the app has started already.',
    );
  });

  test.each([
    ['no trigger', { name: 'x', bindings: {} }, 'The function "x" needs exactly one trigger.'],
    [
      'two triggers',
      { name: 'x', bindings: { a: trigger, b: { type: 'timerTrigger' } } },
      'The function "x" needs exactly one trigger.',
    ],
    [
      'a bad name',
      { name: '1 x', bindings: { trigger } },
      '"1 x" is not a permitted function name',
    ],
  ])('a function with %s is refused', (_what, metadata, message) => {
    expect(() => new FunctionRegistry().register(metadata, handler)).toThrow(message);
  });

  test('a registration can be taken back while the app loads', () => {
    const registry = new FunctionRegistry();

    registry.register({ name: 'x', bindings: { trigger } }, handler).dispose();

    expect(registry.all).toEqual([]);
  });
});
