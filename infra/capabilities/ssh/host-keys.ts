/**
 * Decides whether a server is the one it says it is (SSH_HOST_KEY_POLICY): `strict` wants it in the known
 * hosts file, `first-use` files a host met for the first time, `off` accepts everybody and says so.
 */

import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Log } from '../../../core/ports/log.ts';
import {
  fingerprint,
  type HostKeyVerdict,
  hostKeyType,
  judgeHostKey,
  type KnownHost,
  keysOf,
  knownHostName,
  parseKnownHosts,
} from './known-hosts.ts';
import type { SshFailure } from './ssh-failure.ts';

export type HostKeyPolicy = 'strict' | 'first-use' | 'off';

export interface HostKeys {
  /** Key types the host is known by: the server must be asked for one of them, or it presents another. */
  knownTypes(host: string, port: number): Promise<readonly string[]>;
  /** Undefined when the key may be accepted, provided that the server proves to own it. */
  judge(host: string, port: number, key: Buffer): Promise<SshFailure | undefined>;
  /** To be called when the server has proven to own the key: files it if the policy says so. */
  remember(host: string, port: number, key: Buffer): Promise<SshFailure | undefined>;
}

export type HostKeysOptions = {
  readonly policy: HostKeyPolicy;
  readonly knownHostsPath: string;
  readonly log: Log;
};

export function createHostKeys({ policy, knownHostsPath, log }: HostKeysOptions): HostKeys {
  return policy === 'off' ? trustEverybody(log) : trustFile(policy, knownHostsPath, log);
}

function trustEverybody(log: Log): HostKeys {
  return {
    knownTypes: async () => [],
    judge: async () => undefined,
    async remember(host, port, key) {
      log.info('ssh.host_key_unchecked', { host, port, fingerprint: fingerprint(key) });
      return undefined;
    },
  };
}

function trustFile(policy: 'strict' | 'first-use', path: string, log: Log): HostKeys {
  // Of two connections that meet a host at once, the second must see what the first one filed.
  let lastFiling: Promise<unknown> = Promise.resolve();

  async function filed(host: string, port: number): Promise<readonly KnownHost[]> {
    return keysOf(parseKnownHosts(await readIfAny(path)), knownHostName(host, port));
  }

  async function file(host: string, port: number, key: Buffer): Promise<SshFailure | undefined> {
    const verdict = judgeHostKey(await filed(host, port), key);
    if (verdict.kind !== 'unknown') return refusal(verdict, host, port, key);
    await append(
      path,
      `${knownHostName(host, port)} ${hostKeyType(key)} ${key.toString('base64')}`,
    );
    log.info('ssh.host_key_trusted', { host, port, fingerprint: fingerprint(key) });
    return undefined;
  }

  return {
    async knownTypes(host, port) {
      // A file that cannot be read is reported by the judgement that follows.
      const known = await filed(host, port).catch(() => []);
      return [...new Set(known.filter((line) => !line.revoked).map((line) => line.type))];
    },
    async judge(host, port, key) {
      const known = await filed(host, port).catch(() => undefined);
      if (known === undefined) return unusableFile;
      const verdict = judgeHostKey(known, key);
      if (verdict.kind === 'unknown' && policy === 'first-use') return undefined;
      return refusal(verdict, host, port, key);
    },
    async remember(host, port, key) {
      if (policy === 'strict') return undefined;
      const filing = lastFiling.then(() => file(host, port, key)).catch(() => unusableFile);
      lastFiling = filing;
      return filing;
    },
  };
}

const unusableFile: SshFailure = {
  status: 'server_side_error',
  reason: 'The file SSH_KNOWN_HOSTS names cannot be used, so no host can be trusted.',
};

function refusal(
  verdict: HostKeyVerdict,
  host: string,
  port: number,
  key: Buffer,
): SshFailure | undefined {
  const name = knownHostName(host, port);
  const presented = `${fingerprint(key)} (${hostKeyType(key)})`;
  switch (verdict.kind) {
    case 'trusted':
      return undefined;
    case 'revoked':
      return failed(`The host key of ${name}, ${presented}, is revoked.`);
    case 'unknown':
      return failed(
        `The host key of ${name}, ${presented}, is not known. Check it and add it to the file SSH_KNOWN_HOSTS names.`,
      );
    case 'changed':
      return failed(
        `The host key of ${name} has changed: known is ${verdict.known.map(describe).join(', ')}, presented is ${presented}. ` +
          'Somebody may be posing as the host. If it was changed on purpose, remove its lines from the file SSH_KNOWN_HOSTS names.',
      );
  }
}

function describe(line: KnownHost): string {
  return `${fingerprint(Buffer.from(line.key, 'base64'))} (${line.type})`;
}

function failed(reason: string): SshFailure {
  return { status: 'failed', reason };
}

/** One write at the end of the file: other processes' lines are never cut apart. */
async function append(path: string, line: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const before = await readIfAny(path);
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  await appendFile(path, `${gap}${line}\n`, { mode: 0o600, flush: true });
}

async function readIfAny(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}
