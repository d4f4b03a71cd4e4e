/**
 * A real MongoDB-compatible server (FerretDB 1.24 over SQLite) on a free loopback port, with a directory of
 * its own. It compares and sets in two steps, so two services on one of its databases prove nothing; the
 * driver, the commands and the wire are the real ones.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { peer } from '../require-peer.ts';

const program = [...(process.env['PATH'] ?? '').split(delimiter), join(homedir(), 'go', 'bin')]
  .map((directory) => join(directory, 'ferretdb'))
  .find(isExecutable);

/** Whether tests that need a server are to be skipped. */
export const skipFerretdb: boolean = peer(
  'ferretdb',
  'build FerretDB 1.24.0 with Go, as .ci/run does, and put it on the PATH',
  program !== undefined,
);

export type Ferretdb = {
  readonly uri: string;
  /** Ends the server as a crash would. */
  kill(): Promise<void>;
  /** Starts it again on the same port with what it had kept. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

export async function startFerretdb(): Promise<Ferretdb> {
  const directory = await mkdtemp(join(tmpdir(), 'ferretdb-'));
  const port = await freePort();
  let server = await launch(directory, port);
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  };
  return {
    uri: `mongodb://127.0.0.1:${port}`,
    kill,
    restart: async () => {
      server = await launch(directory, port);
    },
    stop: async () => {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const STARTS_WITHIN_MS = 20_000;

async function launch(directory: string, port: number): Promise<ChildProcess> {
  const server = spawn(
    program ?? 'ferretdb',
    [
      '--handler=sqlite',
      `--sqlite-url=file:${directory}/`,
      `--state-dir=${directory}`,
      `--listen-addr=127.0.0.1:${port}`,
      '--debug-addr=-',
      '--telemetry=disable',
      '--log-level=ERROR',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let complaints = '';
  server.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints = `${complaints}${text}`.slice(-2_000);
  });
  const giveUpAt = Date.now() + STARTS_WITHIN_MS;
  while (!(await isListening(port))) {
    if (server.exitCode !== null || Date.now() > giveUpAt) {
      throw new Error(`ferretdb did not start: ${complaints}`);
    }
  }
  return server;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return false;
  } finally {
    socket.destroy();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  return address.port;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
