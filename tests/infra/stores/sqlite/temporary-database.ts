/** A database file that disappears with its test. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export function temporaryDatabase(): string {
  const directory = mkdtempSync(join(tmpdir(), 'stores-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return join(directory, 'store.sqlite');
}
