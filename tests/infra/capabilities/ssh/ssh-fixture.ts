/** What the tests of the ssh capability share: invocations, a log that remembers, peers that misbehave. */

import { readFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import type { AgentTarget, AuthenticationInfo } from '../../../../core/cacao/model.ts';
import type {
  Capability,
  CapabilitySession,
  CommandOutcome,
  Invocation,
  StepContext,
} from '../../../../core/ports/capability.ts';
import { type Log, type LogFields, logLevels } from '../../../../core/ports/log.ts';
import type { Sshd } from '../../../peers/sshd/start-sshd.ts';

export type Wanted = Partial<Omit<Invocation, 'authentication' | 'target'>> & {
  readonly authentication?: Partial<AuthenticationInfo>;
  readonly address?: AgentTarget['address'];
  readonly port?: number | string;
};

const step = {
  executionId: 'c7b5d0b1-0000-4000-8000-000000000001',
  playbookId: 'playbook--c7b5d0b1-0000-4000-8000-000000000002',
  stepId: 'action--c7b5d0b1-0000-4000-8000-000000000003',
  workKey: 'c7b5d0b1/0',
  deadlineMs: Number.MAX_SAFE_INTEGER,
} as StepContext;

export function anInvocation(text: string, wanted: Wanted = {}): Invocation {
  const { address, port, authentication, ...rest } = wanted;
  return {
    command: { type: 'ssh', command: text },
    text,
    content: undefined,
    agent: { type: 'svc', name: 'svc-ssh' },
    target: {
      type: 'ssh',
      name: 'target',
      address: address ?? { ipv4: ['127.0.0.1'] },
      port: String(port ?? 22),
    },
    authentication: {
      type: 'user-auth',
      username: 'nobody',
      password: 'nothing',
      ...authentication,
    },
    variables: {},
    outArgs: [],
    signal: new AbortController().signal,
    ...rest,
  };
}

/** A command for the account of a server, with its password. */
export function forServer(server: Sshd, text: string, wanted: Wanted = {}): Invocation {
  const { username, password, port } = server;
  return anInvocation(text, {
    port,
    ...wanted,
    authentication: { username, password, ...wanted.authentication },
  });
}

export function begin(capability: Capability): CapabilitySession {
  return capability.begin(step);
}

/** One command in a session of its own. */
export async function perform(
  capability: Capability,
  invocation: Invocation,
): Promise<CommandOutcome> {
  const session = begin(capability);
  try {
    return await session.perform(invocation);
  } finally {
    await session.end();
  }
}

export type RecordingLog = Log & {
  readonly lines: { readonly event: string; readonly fields: LogFields | undefined }[];
};

export function recordingLog(): RecordingLog {
  const lines: RecordingLog['lines'] = [];
  const write = (event: string, fields?: LogFields): void => {
    lines.push({ event, fields });
  };
  const levels = Object.fromEntries(logLevels.map((level) => [level, write]));
  const log = {} as RecordingLog;
  return Object.assign(log, levels, { lines, enabled: () => true, child: () => log });
}

export type Listener = { readonly port: number; stop(): Promise<void> };

/** A TCP server that is no ssh server. */
export async function listen(answer: (socket: Socket) => void): Promise<Listener> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    answer(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Process ids a remote command wrote to a file, once there are so many of them. */
export async function pidsIn(file: string, count: number): Promise<readonly number[]> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '');
    const pids = text.split(/\s+/).filter(Boolean).map(Number);
    if (pids.length === count) return pids;
    if (Date.now() > deadline)
      throw new Error(`${file} does not hold ${count} process ids: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Those of the processes that still run after a while; ended ones may wait a moment to be collected. */
export async function stillRunning(pids: readonly number[]): Promise<readonly number[]> {
  const deadline = Date.now() + 3_000;
  for (;;) {
    const states = await Promise.all(pids.map(isRunning));
    const running = pids.filter((_, at) => states[at]);
    if (running.length === 0 || Date.now() > deadline) return running;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function isRunning(pid: number): Promise<boolean> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return text !== '' && !/\) Z /.test(text);
}

export function timeUp(): DOMException {
  return new DOMException('time is up', 'TimeoutError');
}
