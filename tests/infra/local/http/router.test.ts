import { describe, expect, test } from 'vitest';
import { createRouter } from '../../../../infra/local/http/router.ts';
import { aFunction } from './a-function.ts';

const winner = (router: ReturnType<typeof createRouter>, method: string, path: readonly string[]) =>
  router.match(method, path)?.route.fn.name;

describe('the router', () => {
  test('the first function by name wins, not the more specific route', () => {
    const router = createRouter(
      [aFunction('b-search', { route: 'runs/search' }), aFunction('A-run', { route: 'runs/{id}' })],
      '',
    );

    expect(winner(router, 'GET', ['runs', 'search'])).toBe('A-run');
  });

  test('names are ordered without regard to case, an underscore after the letters', () => {
    const router = createRouter(
      [aFunction('run_b', { route: '{x}' }), aFunction('RUNa', { route: '{x}' })],
      '',
    );

    expect(winner(router, 'GET', ['anything'])).toBe('RUNa');
  });

  test('a route without the method is passed over, and nothing left means nothing found', () => {
    const router = createRouter(
      [
        aFunction('a', { route: 'runs', methods: ['GET'] }),
        aFunction('b', { route: 'runs', methods: ['post'] }),
      ],
      '',
    );

    expect(winner(router, 'POST', ['runs'])).toBe('b');
    expect(winner(router, 'DELETE', ['runs'])).toBeUndefined();
    expect(winner(router, 'HEAD', ['runs'])).toBeUndefined();
  });

  test('the prefix stands before every route, the name of the function for a missing one', () => {
    const router = createRouter([aFunction('ping')], 'api');

    expect(winner(router, 'GET', ['api', 'PING'])).toBe('ping');
    expect(winner(router, 'GET', ['ping'])).toBeUndefined();
  });

  test('functions with other triggers have no route', () => {
    const router = createRouter([aFunction('tick', { type: 'timerTrigger' })], '');

    expect(winner(router, 'GET', ['tick'])).toBeUndefined();
  });

  test.each([
    ['admin/users', 'routes must not begin with admin or runtime.'],
    ['Runtime', 'routes must not begin with admin or runtime.'],
    ['{id', 'An opening brace has no closing one.'],
  ])('the route %s is refused with the name of its function', (route, problem) => {
    expect(() => createRouter([aFunction('odd', { route })], '')).toThrow(
      `The route of function "odd" (${route}) is not usable: ${problem}`,
    );
  });
});
