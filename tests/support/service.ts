/** Runs the product as its README says, as a process of its own on a free port with an empty data directory. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { storeEnvironment } from '../e2e/store-environment.ts';

export type Service = {
  readonly url: string;
  readonly dataDirectory: string;
  readonly pid: number;
  /** Lines of the log (standard output) so far. */
  readonly lines: readonly string[];
  /** SIGKILL: nothing gets a chance to tidy up. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  signal(name: NodeJS.Signals): void;
  /** Stops if running, and removes the data directory. */
  dispose(): Promise<void>;
};

export type ServiceOptions = {
  readonly environment?: Readonly<Record<string, string>>;
  /** Goes on with the data of an earlier service. */
  readonly dataDirectory?: string;
};

const STARTED = /listens on (\S+)/;
const START_LIMIT_MS = 20_000;

/** What `npm start` gives to Node. */
export const startArguments = npmStartArguments();

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const dataDirectory = options.dataDirectory ?? (await mkdtemp(join(tmpdir(), 'theobroma-')));
  const process_ = spawn(process.execPath, startArguments, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      LISTEN_ADDRESS: '127.0.0.1',
      DATA_DIR: dataDirectory,
      ...storeEnvironment(dataDirectory),
      ...options.environment,
    },
  });
  const lines: string[] = [];
  const url = await listening(process_, lines);
  const ended = once(process_, 'exit');
  const service: Service = {
    url,
    dataDirectory,
    pid: process_.pid ?? 0,
    lines,
    async kill() {
      process_.kill('SIGKILL');
      await ended;
    },
    async stop() {
      process_.kill('SIGTERM');
      await ended;
      return process_.exitCode;
    },
    signal: (name) => void process_.kill(name),
    async dispose() {
      if (process_.exitCode === null && process_.signalCode === null) await service.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
  return service;
}

/** The same data, a new process. */
export function restartService(
  before: Service,
  environment: Readonly<Record<string, string>> = {},
): Promise<Service> {
  return startService({ dataDirectory: before.dataDirectory, environment });
}

async function listening(process_: ChildProcess, lines: string[]): Promise<string> {
  const started = Promise.withResolvers<string>();
  for (const stream of [process_.stdout, process_.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      const url = STARTED.exec(line)?.[1];
      if (url !== undefined) started.resolve(url);
    });
  }
  const fail = (why: string) => started.reject(new Error(`${why}\n${lines.join('\n')}`));
  const timer = setTimeout(() => fail('The service does not start.'), START_LIMIT_MS);
  process_.once('exit', (code) => fail(`The service ended with code ${code}.`));
  try {
    return await started.promise;
  } finally {
    clearTimeout(timer);
  }
}

function npmStartArguments(): readonly string[] {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { scripts } = JSON.parse(text) as { readonly scripts: { readonly start: string } };
  const [, words = 'dist/host.cjs'] = /&& node (.*)$/.exec(scripts.start) ?? [];
  return words.split(' ');
}
