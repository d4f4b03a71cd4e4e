/**
 * Writes lines to a file descriptor in batches: the caller never waits and never fails.
 *
 * B1  Lines keep their order. At most one write is under way.
 * B2  What a slow or full disk cannot take is dropped beyond a limit; a line says how many were.
 * B3  `writeNow` puts everything out before it returns; it is for the last words of a process.
 */

import { closeSync, openSync, write, writeSync } from 'node:fs';

export type LineWriter = {
  readonly append: (line: string) => void;
  readonly writeNow: () => void;
  readonly flush: () => Promise<void>;
  /** Closes the old file and goes on with a new one of the same name; throws when it cannot. */
  readonly reopen: () => void;
  readonly close: () => Promise<void>;
};

/** The line that stands for a number of lost ones. */
export type DroppedLine = (lines: number) => string;

const filePermissions = 0o640;

/** Throws when the file cannot be opened for appending. */
export function createFileWriter(path: string, droppedLine: DroppedLine): LineWriter {
  const open = () => openSync(path, 'a', filePermissions);
  return createDescriptorWriter(open(), open, droppedLine);
}

export function createStandardOutputWriter(droppedLine: DroppedLine): LineWriter {
  return createDescriptorWriter(1, undefined, droppedLine);
}

function createDescriptorWriter(
  first: number,
  open: (() => number) | undefined,
  droppedLine: DroppedLine,
): LineWriter {
  const backlog = createBacklog(droppedLine);
  let descriptor = first;
  let underWay: Promise<void> | undefined;

  async function drain(): Promise<void> {
    // Lines of the same turn of the event loop share one write.
    await new Promise((resolve) => setImmediate(resolve));
    while (!backlog.isEmpty()) {
      const batch = backlog.take();
      if (!(await writeWhole(descriptor, batch.bytes))) backlog.lose(batch.lines);
    }
    underWay = undefined;
  }

  async function flush(): Promise<void> {
    while (underWay !== undefined) await underWay;
  }

  return {
    append(line) {
      backlog.add(line);
      underWay ??= drain();
    },
    writeNow() {
      const batch = backlog.take();
      if (!writeWholeNow(descriptor, batch.bytes)) backlog.lose(batch.lines);
    },
    flush,
    reopen() {
      if (open === undefined) return;
      const previous = descriptor;
      descriptor = open();
      // A write under way still uses the old file.
      void (underWay ?? Promise.resolve()).then(() => closeSync(previous));
    },
    async close() {
      await flush();
      if (open !== undefined) closeSync(descriptor);
    },
  };
}

const mostCharacters = 16 * 1024 * 1024;

function createBacklog(droppedLine: DroppedLine) {
  let lines: string[] = [];
  let characters = 0;
  let lost = 0;

  function push(line: string): void {
    lines.push(line);
    characters += line.length;
  }

  return {
    isEmpty: () => lines.length === 0,
    add(line: string): void {
      if (characters + line.length > mostCharacters) {
        lost += 1;
        return;
      }
      if (lost > 0) push(droppedLine(lost));
      lost = 0;
      push(line);
    },
    lose(count: number): void {
      lost += count;
    },
    take(): { readonly bytes: Buffer; readonly lines: number } {
      const batch = { bytes: Buffer.from(lines.join('')), lines: lines.length };
      lines = [];
      characters = 0;
      return batch;
    },
  };
}

const retryMs = 5;

async function writeWhole(descriptor: number, bytes: Buffer): Promise<boolean> {
  let done = 0;
  while (done < bytes.length) {
    const outcome = await writeSome(descriptor, bytes, done);
    if (outcome === 'refused') return false;
    if (outcome === 'busy') await new Promise((resolve) => setTimeout(resolve, retryMs));
    else done += outcome;
  }
  return true;
}

function writeSome(descriptor: number, bytes: Buffer, from: number): Promise<number | Trouble> {
  return new Promise((resolve) => {
    write(descriptor, bytes, from, bytes.length - from, null, (error, written) => {
      resolve(error === null ? written : troubleOf(error));
    });
  });
}

function writeWholeNow(descriptor: number, bytes: Buffer): boolean {
  let done = 0;
  for (let attempts = 0; done < bytes.length && attempts < 1000; attempts += 1) {
    try {
      done += writeSync(descriptor, bytes, done);
    } catch (error) {
      if (troubleOf(error) === 'refused') return false;
    }
  }
  return done === bytes.length;
}

// A pipe whose reader is slow is busy; a full disk or a closed pipe refuses.
type Trouble = 'busy' | 'refused';

function troubleOf(error: unknown): Trouble {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN' ? 'busy' : 'refused';
}
