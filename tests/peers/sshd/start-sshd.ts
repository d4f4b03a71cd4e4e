/**
 * A real OpenSSH server on a free loopback port, with host keys, configuration and one throwaway account
 * of its own. Needs root, because only root can make accounts and let them log in.
 */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { peer } from '../require-peer.ts';

const run = promisify(execFile);
const program = '/usr/sbin/sshd';

/** Whether tests that need a server are to be skipped. */
export const skipSshd: boolean = peer(
  'sshd',
  'apt-get install openssh-server, and run the tests as root',
  existsSync(program) && process.getuid?.() === 0,
);

export type HostKeyType = 'ed25519' | 'ecdsa' | 'rsa';

export type Sshd = {
  readonly port: number;
  readonly username: string;
  readonly password: string;
  /** The account's home, a directory only it may write. */
  readonly home: string;
  /** The line of the host's public key: type and base64. */
  hostKey(type: HostKeyType): Promise<string>;
  /** Lets the holder of this public key log in, as the account and as root. */
  authorize(publicKey: string): Promise<void>;
  stop(): Promise<void>;
};

export type SshdOptions = {
  readonly hostKeys?: readonly HostKeyType[];
  /** Lines of sshd_config that come before the defaults, so they win. */
  readonly settings?: readonly string[];
};

export async function startSshd(options: SshdOptions = {}): Promise<Sshd> {
  const directory = await mkdtemp(join(tmpdir(), 'sshd-'));
  await chmod(directory, 0o755);
  const account = await makeAccount(directory);
  const port = await freePort();
  const server = await launch(directory, port, options);
  return {
    port,
    ...account,
    hostKey: (type) => readHostKey(directory, type),
    authorize: (publicKey) => writeFile(join(directory, 'authorized'), publicKey, { flag: 'a' }),
    stop: async () => {
      await end(server);
      await run('userdel', ['-f', account.username]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function makeAccount(directory: string) {
  const username = `peer${randomBytes(4).toString('hex')}`;
  const password = randomBytes(9).toString('base64url');
  const home = join(directory, 'home');
  await run('useradd', ['-M', '-d', home, '-s', '/bin/sh', username]);
  const setting = execFile('chpasswd');
  setting.stdin?.end(`${username}:${password}\n`);
  await once(setting);
  const { stdout } = await run('id', ['-u', username]);
  await mkdir(home);
  await chown(home, Number(stdout), Number(stdout));
  return { username, password, home };
}

async function launch(
  directory: string,
  port: number,
  options: SshdOptions,
): Promise<ChildProcess> {
  const types = options.hostKeys ?? ['ed25519', 'ecdsa', 'rsa'];
  for (const type of types) await makeHostKey(directory, type);
  await writeFile(join(directory, 'authorized'), '', { mode: 0o644 });
  const config = join(directory, 'sshd_config');
  await writeFile(config, configuration(directory, port, types, options.settings ?? []).join('\n'));
  // Where sshd locks itself up before login; init scripts make it on a machine that runs one.
  await mkdir('/run/sshd', { recursive: true, mode: 0o755 });
  const server = spawn(program, ['-D', '-e', '-f', config], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const log: string[] = [];
  server.stderr.setEncoding('utf8').on('data', (text: string) => log.push(text));
  await untilListening(port, server, log);
  return server;
}

function configuration(
  directory: string,
  port: number,
  types: readonly HostKeyType[],
  settings: readonly string[],
): readonly string[] {
  return [
    ...settings,
    'ListenAddress 127.0.0.1',
    `Port ${port}`,
    ...types.map((type) => `HostKey ${hostKeyFile(directory, type)}`),
    `PidFile ${join(directory, 'pid')}`,
    `AuthorizedKeysFile ${join(directory, 'authorized')}`,
    'StrictModes no',
    'UsePAM yes',
    'PasswordAuthentication yes',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin prohibit-password',
    'MaxStartups 100',
    'LoginGraceTime 60',
    'PrintMotd no',
    '',
  ];
}

function hostKeyFile(directory: string, type: HostKeyType): string {
  return join(directory, `host_${type}`);
}

async function makeHostKey(directory: string, type: HostKeyType): Promise<void> {
  const size = type === 'rsa' ? ['-b', '2048'] : [];
  const file = hostKeyFile(directory, type);
  await run('ssh-keygen', ['-q', '-t', type, ...size, '-N', '', '-f', file]);
}

async function readHostKey(directory: string, type: HostKeyType): Promise<string> {
  const line = await readFile(`${hostKeyFile(directory, type)}.pub`, 'utf8');
  return line.split(' ').slice(0, 2).join(' ');
}

/** A port nobody listened on a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function untilListening(
  port: number,
  server: ChildProcess,
  log: readonly string[],
): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await answers(port))) {
    if (server.exitCode !== null || Date.now() > deadline) {
      throw new Error(`sshd did not start: ${log.join('')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
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

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await ended;
}

function once(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${child.spawnfile} ended with ${code}`)),
    );
  });
}
