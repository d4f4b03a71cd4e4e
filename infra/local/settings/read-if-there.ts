import { readFileSync } from 'node:fs';

/** The text of a file, or undefined when there is none. Other failures are thrown. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
