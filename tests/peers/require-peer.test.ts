import { afterEach, describe, expect, test, vi } from 'vitest';
import { peer } from './require-peer.ts';

describe('tests that need a real program', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  test('run when it is there', () => {
    expect(peer('broker', 'install a broker', true)).toBe(false);
  });

  test('are skipped with one line saying what to install when it is missing', () => {
    vi.stubEnv('REQUIRE_PEERS', undefined);
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);

    expect(peer('broker', 'install a broker', false)).toBe(true);
    expect(write.mock.calls).toEqual([
      ['skipped: broker is not available here; to run the tests that need it: install a broker\n'],
    ]);
  });

  test('fail when it is missing and nothing may be skipped', () => {
    vi.stubEnv('REQUIRE_PEERS', '1');

    expect(() => peer('broker', 'install a broker', false)).toThrow('install a broker');
  });
});
