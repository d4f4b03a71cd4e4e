/** Runs the embedded host as a process of its own, as `npm start` does, for tests. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const repository = resolve(import.meta.dirname, '../../..');
const main = join(repository, 'infra/local/main.ts');

export const fixtureApp = (name: string): string => join(import.meta.dirname, 'fixtures', name);

export type HostLine = {
  readonly level: string;
  readonly msg: string;
  readonly [key: string]: unknown;
};

export type HostProcess = {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly dataDirectory: string;
  readonly stdout: () => string;
  /** Lines of the host's log. */
  readonly log: () => readonly HostLine[];
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Stops the host gracefully; answers its exit code. */
  readonly stop: () => Promise<number | null>;
  readonly ended: Promise<number | null>;
};

export type HostEnvironment = Readonly<Record<string, string>>;

/** A directory below the system's temporary one that `removeTemporary` removes. */
const temporary: string[] = [];
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'theobroma-host-'));
  temporary.push(directory);
  return directory;
}

export function removeTemporary(): void {
  for (const directory of temporary.splice(0)) rmSync(directory, { recursive: true, force: true });
}

/** An app made of these files, with the repository's packages at hand. */
export function temporaryApp(files: Readonly<Record<string, string>>): string {
  const directory = temporaryDirectory();
  symlinkSync(join(repository, 'node_modules'), join(directory, 'node_modules'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  return directory;
}

/** Rejects with what the host said when it does not start. */
export async function startHostProcess(
  appDirectory: string,
  environment: HostEnvironment = {},
): Promise<HostProcess> {
  const { child, output, ended, dataDirectory } = launch(appDirectory, environment);
  const line = /^Theobroma listens on (https?:\/\/localhost:(\d+))$/m;
  const listening = new Promise<RegExpExecArray>((found) => {
    child.stdout?.on('data', () => {
      const match = line.exec(output.stdout);
      if (match !== null) found(match);
    });
  });
  const first = await Promise.race([listening, ended]);
  if (first === null || typeof first === 'number') throw new Error(output.stderr);
  return {
    url: first[1] ?? '',
    port: Number(first[2]),
    pid: child.pid ?? 0,
    dataDirectory,
    stdout: () => output.stdout,
    log: () => readLines(output.stderr),
    signal: (signal) => child.kill(signal),
    async stop() {
      child.kill('SIGTERM');
      return await ended;
    },
    ended,
  };
}

/** Runs a host that is expected not to start; answers what it said and its exit code. */
export async function failToStart(
  appDirectory: string,
  environment: HostEnvironment = {},
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const { child, output, ended } = launch(appDirectory, environment);
  child.stdout?.once('data', () => child.kill());
  return { code: await ended, ...output };
}

function launch(appDirectory: string, environment: HostEnvironment) {
  const dataDirectory = environment['DATA_DIR'] ?? temporaryDirectory();
  const child: ChildProcess = spawn(process.execPath, [main], {
    cwd: appDirectory,
    env: { PATH: process.env['PATH'], PORT: '0', DATA_DIR: dataDirectory, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => {
    output.stdout += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    output.stderr += chunk.toString();
  });
  const ended = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : null));
  return { child, output, ended, dataDirectory };
}

function readLines(text: string): readonly HostLine[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as HostLine);
}

/** Asks again and again until the answer is there, for at most ten seconds. */
export async function eventually<Value>(ask: () => Promise<Value | undefined>): Promise<Value> {
  const end = Date.now() + 10_000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > end) throw new Error('It did not happen within ten seconds.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
