import { describe, expect, test } from 'vitest';
import '../fixture/orchestrations.ts';
import { aHost } from '../fixture/test-host.ts';

describe.each(['live', 'json'] as const)('on the %s route', (route) => {
  test('code that asks for something else when run again fails with a clear error', async () => {
    const host = await aHost({ options: { route, checkReplay: true } });

    const { runtimeStatus, output } = await host.run('unsteady');

    expect(runtimeStatus).toBe('Failed');
    expect(output).toContain('two runs over the same history differ');
  });

  test('deterministic code passes the check, failures included', async () => {
    const host = await aHost({ options: { route, checkReplay: true, dropCaches: true } });

    const sequence = await host.run('sequence', { steps: [1, 'two', null] });
    const generations = await host.run('generations', { left: 12, per: 5 });
    const failure = await host.run('throws', { message: 'same twice' });

    expect(sequence.output).toEqual([1, 'two', null]);
    expect(generations.output).toBe(12);
    expect(failure.output).toContain('failed: same twice');
  });
});
