/** A real Mosquitto on a free loopback port, with a configuration and data of its own. */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { peer } from '../require-peer.ts';

const program = '/usr/sbin/mosquitto';

/** Whether tests that need a broker are to be skipped. */
export const skipMosquitto: boolean = peer(
  'mosquitto',
  'apt-get install mosquitto',
  existsSync(program),
);

export type Mosquitto = {
  readonly port: number;
  /** Ends it at once, as a crash would; everything it has not stored is lost. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

export type MosquittoOptions = {
  /** Lines of mosquitto.conf; `$DIR` stands for its directory. */
  readonly settings?: readonly string[];
  /** Files in its directory, by name. */
  readonly files?: { readonly [name: string]: string };
};

export async function startMosquitto(options: MosquittoOptions = {}): Promise<Mosquitto> {
  const directory = await mkdtemp(join(tmpdir(), 'mosquitto-'));
  // A broker started by root gives up its rights and must still read what is here.
  await chmod(directory, 0o755);
  const port = await freePort();
  const settings = options.settings ?? ['allow_anonymous true'];
  // Without this the broker holds back small messages for 40 ms behind its own confirmations.
  const lines = [`listener ${port} 127.0.0.1`, ...settings, 'set_tcp_nodelay true'];
  const configuration = lines.join('\n').replaceAll('$DIR', directory);
  for (const [name, text] of Object.entries(options.files ?? {})) {
    await writeFile(join(directory, name), text, { mode: 0o644 });
  }
  await writeFile(join(directory, 'mosquitto.conf'), `${configuration}\n`);
  let broker = await launch(directory, port);
  return {
    port,
    kill: () => end(broker, 'SIGKILL'),
    start: async () => {
      broker = await launch(directory, port);
    },
    stop: async () => {
      await end(broker, 'SIGTERM');
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function launch(directory: string, port: number): Promise<ChildProcess> {
  const output: string[] = [];
  const broker = spawn(program, ['-c', join(directory, 'mosquitto.conf')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [broker.stdout, broker.stderr]) {
    stream.on('data', (bytes: Buffer) => void output.push(bytes.toString()));
  }
  const deadline = Date.now() + 10_000;
  while (!(await answers(port))) {
    if (broker.exitCode !== null || Date.now() > deadline) {
      throw new Error(`mosquitto did not start: ${output.join('')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return broker;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

async function end(broker: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (broker.exitCode !== null || broker.signalCode !== null) return;
  const ended = new Promise((resolve) => broker.once('exit', resolve));
  broker.kill(signal);
  await ended;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
