/**
 * The few file operations a directory of keys needs. Links are never followed, nothing is ever
 * overwritten by accident, and a file appears under its name whole or not at all.
 */

import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { link, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const largestFileBytes = 65_536;

/** Makes the directory, for its owner only. A link or a file in its place is refused. */
export async function ensureDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  if ((await lstat(path)).isSymbolicLink()) throw new Error(`${path} is a link`);
}

/** The text of a regular file; rejects for links, directories and files too large to hold a key. */
export async function readKeyFile(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new Error(`${path} is not a file`);
    if (found.size > largestFileBytes) throw new Error(`${path} is too large to be a key`);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

/** Whether anything at all is there, a dangling link included. */
export async function isTaken(path: string): Promise<boolean> {
  return (await lstatIfAny(path)) !== undefined;
}

export async function isRegularFile(path: string): Promise<boolean> {
  return (await lstatIfAny(path))?.isFile() ?? false;
}

/** Answers false, and changes nothing, when the name is taken. */
export async function createFile(path: string, text: string, mode: number): Promise<boolean> {
  const draft = await writeDraft(path, text, mode);
  return moveToFreeName(draft, path).finally(() => rm(draft, { force: true }));
}

/** Puts the text in place of whatever has this name. */
export async function replaceFile(path: string, text: string, mode: number): Promise<void> {
  const draft = await writeDraft(path, text, mode);
  await rename(draft, path).finally(() => rm(draft, { force: true }));
  await syncDirectory(dirname(path));
}

/** Answers false, and moves nothing, when the new name is taken. */
export async function moveToFreeName(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    await rm(from);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    if (!hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) throw error;
    // File shares without hard links: the check and the move are two steps there.
    if (await isTaken(to)) return false;
    await rename(from, to);
  }
  await syncDirectory(dirname(to));
  return true;
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

async function lstatIfAny(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Lies beside the final name, so that the move stays within one file system. */
async function writeDraft(path: string, text: string, mode: number): Promise<string> {
  const draft = join(dirname(path), `.draft-${randomUUID()}`);
  const file = await open(draft, 'wx', mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  return draft;
}

async function syncDirectory(path: string): Promise<void> {
  try {
    const directory = await open(path, 'r');
    await directory.sync().finally(() => directory.close());
  } catch {
    // Some file systems cannot flush a directory; the change itself was made.
  }
}
