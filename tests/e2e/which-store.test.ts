/** Guards the set-up: the tests named for a store really run on it. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clientOf } from '../support/client.ts';
import { startService } from '../support/service.ts';

test('the service keeps its data in the store under test', async () => {
  const service = await startService();
  await clientOf(service.url)('GET', '/playbook');

  const hasFile = existsSync(join(service.dataDirectory, 'theobroma.db'));

  expect(hasFile).toBe((process.env['E2E_STORE'] ?? 'sqlite') === 'sqlite');
  await service.dispose();
});
