/**
 * Runs one program in a Windows remote shell (MS-WSMV 3.1.4): create, command, receive until done, delete.
 *
 * R1  Whatever happens, the shell is deleted; a command that has not ended is told to terminate first.
 * R2  A receive that times out on the target means only that nothing was printed yet: ask again.
 */

import { WinRmFailure } from '../winrm-failure.ts';
import type { WinRmConnection } from './connection.ts';
import {
  commandRequest,
  createRequest,
  deleteRequest,
  receiveRequest,
  type ShellRequest,
  terminateRequest,
  writeEnvelope,
} from './request.ts';
import {
  type Received,
  readAnswer,
  readCommandId,
  readFault,
  readReceived,
  readShellId,
} from './response.ts';
import { OPERATION_TIMED_OUT } from './vocabulary.ts';
import type { XmlElement } from './xml.ts';

export type RemoteCommand = { readonly program: string; readonly commandArguments: string };

export type RemoteCommandOptions = {
  readonly url: string;
  /** How long the target may hold back an answer when there is nothing to report. */
  readonly operationTimeoutSeconds: number;
  readonly maxOutputBytes: number;
  /** Time given to terminate and delete, after which they are abandoned. */
  readonly cleanupTimeoutMs: number;
  readonly uuid: () => string;
  readonly signal: AbortSignal;
};

export type RemoteResult = {
  readonly stdout: string;
  readonly stderr: string;
  /** Absent when the target did not tell. */
  readonly exitCode: number | undefined;
};

/** Throws WinRmFailure, or the signal's reason once that is aborted. */
export async function runRemoteCommand(
  connection: WinRmConnection,
  command: RemoteCommand,
  options: RemoteCommandOptions,
): Promise<RemoteResult> {
  const { signal } = options;
  const exchange = createExchange(connection, options);
  const shellId = expect(readShellId(await exchange(createRequest(), signal)), 'a shell id');
  let running: string | undefined;
  try {
    const request = commandRequest(shellId, command.program, command.commandArguments);
    running = expect(readCommandId(await exchange(request, signal)), 'a command id');
    const result = await receiveAll(exchange, shellId, running, options);
    running = undefined;
    return result;
  } finally {
    await cleanUp(exchange, shellId, running, options.cleanupTimeoutMs);
  }
}

type Exchange = (request: ShellRequest, signal: AbortSignal) => Promise<XmlElement>;

function createExchange(connection: WinRmConnection, options: RemoteCommandOptions): Exchange {
  const { url, operationTimeoutSeconds } = options;
  return async (request, signal) => {
    const messageId = options.uuid();
    const envelope = writeEnvelope(request, { url, messageId, operationTimeoutSeconds });
    const { status, text } = await connection.post(envelope, signal);
    const answer = readAnswer(text);
    if (answer === undefined) {
      throw new WinRmFailure('garbage', `The target answered HTTP ${status}, not WS-Management.`);
    }
    const fault = readFault(answer.body);
    if (fault !== undefined)
      throw new WinRmFailure('fault', `The target refused: ${fault.reason}`, fault.code);
    if (answer.relatesTo?.toLowerCase() !== `uuid:${messageId}`.toLowerCase()) {
      throw new WinRmFailure('garbage', 'The target answered another message than ours.');
    }
    return answer.body;
  };
}

async function receiveAll(
  exchange: Exchange,
  shellId: string,
  commandId: string,
  { signal, maxOutputBytes }: RemoteCommandOptions,
): Promise<RemoteResult> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let size = 0;
  for (;;) {
    const received = await receive(exchange, shellId, commandId, signal);
    if (received === undefined) continue;
    stdout.push(...received.stdout);
    stderr.push(...received.stderr);
    for (const piece of [...received.stdout, ...received.stderr]) size += piece.length;
    if (size > maxOutputBytes) {
      throw new WinRmFailure('too-much', `The command printed more than ${maxOutputBytes} bytes.`);
    }
    if (received.done !== undefined) {
      const { exitCode } = received.done;
      return { stdout: decode(stdout), stderr: decode(stderr), exitCode };
    }
  }
}

/** Undefined when there was nothing to receive yet. */
async function receive(
  exchange: Exchange,
  shellId: string,
  commandId: string,
  signal: AbortSignal,
): Promise<Received | undefined> {
  try {
    const body = await exchange(receiveRequest(shellId, commandId), signal);
    return expect(readReceived(body, commandId), 'output');
  } catch (error) {
    if (error instanceof WinRmFailure && error.code === OPERATION_TIMED_OUT) return undefined;
    throw error;
  }
}

async function cleanUp(
  exchange: Exchange,
  shellId: string,
  running: string | undefined,
  timeoutMs: number,
): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    if (running !== undefined) await exchange(terminateRequest(shellId, running), signal);
  } catch {
    // Deleting the shell ends the command too; the outcome is known already.
  }
  try {
    await exchange(deleteRequest(shellId), signal);
  } catch {
    // The target drops idle shells itself; a failed clean-up must not hide the outcome.
  }
}

/** Joined before decoding: a character may be split over two pieces. */
function decode(pieces: readonly Buffer[]): string {
  return new TextDecoder('utf-8').decode(Buffer.concat(pieces));
}

function expect<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new WinRmFailure('garbage', `The target's answer lacks ${what}.`);
  return value;
}
