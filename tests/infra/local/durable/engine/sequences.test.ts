import { describe, expect, test } from 'vitest';
import '../fixture/orchestrations.ts';
import { aHost } from '../fixture/test-host.ts';

describe.each(['live', 'json'] as const)('on the %s route', (route) => {
  test('activities run one after the other and their results come back unchanged', async () => {
    const host = await aHost({ options: { route } });
    const steps = ['text', '123', '{"a":1}', 'true', 7, 1.5, false, null, { a: [1] }, []];

    const status = await host.run('sequence', { steps });

    expect(status).toMatchObject({ runtimeStatus: 'Completed', output: steps });
  });
});
