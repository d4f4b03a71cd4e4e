/** Loads the entry files of an app one by one, each the way its kind asks for. */

import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../message-of.ts';
import { AppFailed } from '../start-error.ts';
import { type EntryFile, findEntryFiles } from './entry-files.ts';

/** A file that throws stops the start: half an app is worse than none. */
export async function loadApp(appDirectory: string): Promise<void> {
  for (const file of findEntryFiles(appDirectory)) {
    try {
      await load(file);
    } catch (cause) {
      const shownPath = relative(appDirectory, file.path);
      throw new AppFailed(`The entry file ${shownPath} failed: ${messageOf(cause)}`, { cause });
    }
  }
}

async function load({ path, kind }: EntryFile): Promise<void> {
  // import() would take CommonJS too, but it scans the whole bundle for export names first.
  if (kind === 'commonjs') createRequire(path)(path);
  else await import(pathToFileURL(path).href);
}
