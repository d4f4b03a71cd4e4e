/** Runs one command over an open connection and tells how it ended. */

import type { ClientChannel } from 'ssh2';
import { endRemoteCommand, happensWithin } from './end-remote-command.ts';
import type { SshConnection } from './ssh-connection.ts';
import { quoteServer } from './ssh-failure.ts';

export type RemoteResult =
  /** `status` is a number, or the name of the signal that ended the command. */
  | {
      readonly kind: 'exited';
      readonly status: number | string;
      readonly stdout: string;
      readonly stderr: string;
    }
  /** The server did not run it, or the connection broke; `reason` is part of a sentence. */
  | { readonly kind: 'lost'; readonly reason: string }
  /** Our side ended it. */
  | { readonly kind: 'stopped' | 'flooded'; readonly left: Leftover };

/** What may still run on the target: nothing, the command, or what the command started and left behind. */
export type Leftover = 'nothing' | 'command' | 'descendants';

export type RemoteCommandOptions = {
  /** More standard output than this ends the command. */
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
};

const stderrTailBytes = 4_096;
/** For the server to answer the request to run a command that was given up meanwhile. */
const openGraceMs = 1_000;

export async function runRemoteCommand(
  connection: SshConnection,
  command: string,
  { maxOutputBytes, signal }: RemoteCommandOptions,
): Promise<RemoteResult> {
  const stop = Promise.withResolvers<'stopped' | 'flooded'>();
  const abort = (): void => stop.resolve('stopped');
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    const opening = openChannel(connection, command, (channel) =>
      follow(connection, channel, maxOutputBytes, () => stop.resolve('flooded')),
    );
    await Promise.race([opening, stop.promise]);
    if (!(await happensWithin(opening, openGraceMs))) {
      return { kind: 'stopped', left: 'command' };
    }
    const running = await opening;
    if (typeof running === 'string') return { kind: 'lost', reason: running };

    const first = await Promise.race([running.closed, stop.promise]);
    if (typeof first === 'object') return first;
    if (running.hasExited()) return { kind: first, left: 'descendants' };
    const ended = await endRemoteCommand(connection.client, running.channel, running.exited);
    return { kind: first, left: ended ? 'nothing' : 'command' };
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/**
 * The running command, or why there is none. It is followed from within the callback: the exit status of
 * a short command may come in the same packet as the permission to run it, and is told only once.
 */
function openChannel(
  connection: SshConnection,
  command: string,
  begin: (channel: ClientChannel) => Running,
): Promise<Running | string> {
  return new Promise((resolve) => {
    try {
      connection.client.exec(command, (error, channel) => {
        resolve(error === undefined ? begin(channel) : quoteServer(error.message));
      });
    } catch {
      resolve('the connection was lost');
    }
  });
}

type Running = {
  readonly channel: ClientChannel;
  /** The command itself ended; its output may still be on the way, or held open by others. */
  readonly exited: Promise<void>;
  hasExited(): boolean;
  /** All output is here. */
  readonly closed: Promise<RemoteResult>;
};

function follow(
  connection: SshConnection,
  channel: ClientChannel,
  maxOutputBytes: number,
  onFlood: () => void,
): Running {
  const exited = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<RemoteResult>();
  const stdout: Buffer[] = [];
  let stdoutBytes = 0;
  let stderr: Buffer = Buffer.alloc(0);
  let status: number | string | undefined;

  // Both streams are drained to the end, or the server stops sending.
  channel.on('data', (chunk: Buffer) => {
    stdoutBytes += chunk.length;
    if (stdoutBytes <= maxOutputBytes) stdout.push(chunk);
    else onFlood();
  });
  channel.stderr.on('data', (chunk: Buffer) => {
    stderr = Buffer.concat([stderr, chunk]).subarray(-stderrTailBytes);
  });
  channel.on('exit', (code: number | null, signalName?: string) => {
    status = code ?? signalName ?? 'a signal';
    exited.resolve();
  });
  channel.on('close', () => {
    if (status === undefined) {
      const reason = connection.isOpen()
        ? 'it ended without an exit status'
        : 'the connection was lost while it ran';
      return closed.resolve({ kind: 'lost', reason });
    }
    const text = Buffer.concat(stdout).toString('utf8');
    closed.resolve({ kind: 'exited', status, stdout: text, stderr: wholeCharacters(stderr) });
  });
  // Whoever reads its input finds the end of it.
  channel.eof();
  return {
    channel,
    exited: exited.promise,
    hasExited: () => status !== undefined,
    closed: closed.promise,
  };
}

/** The tail may begin in the middle of a UTF-8 character. */
function wholeCharacters(tail: Buffer): string {
  const start =
    tail.length < stderrTailBytes ? 0 : tail.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return tail.subarray(Math.max(start, 0)).toString('utf8');
}
