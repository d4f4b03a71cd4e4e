/**
 * One capability of a fin, as one instance of the service uses it.
 *
 * L1  One command at a time: own ones queue here. Those of other instances are seen on the shared topic
 *     and waited for; where two instances send at once, the fin queues, and the time for acknowledging
 *     counts from when it is free.
 * L2  A command is sent once. When its time is up before the fin has finished, the next one waits.
 * L3  A result belongs to the command with the same execution, step and, where the fin echoes it, time.
 * L4  Every result is answered: at once if the command was sent here, else after a grace, unless another
 *     instance was heard to (owed-answers.ts). A repeated one is answered again and changes nothing.
 */

import type { FinResult, SeenCommand, Work } from '../../core/fins/message.ts';
import { Recent } from './recent.ts';
import { type Ending, type OutgoingCommand, SentCommand } from './sent-command.ts';
import type { FinTiming } from './timing.ts';
import { inMilliseconds, isSame, Traffic } from './traffic.ts';
import { Turns } from './turns.ts';

export type LineParts = {
  readonly timing: Pick<FinTiming, 'ackMs' | 'abandonedMs'>;
  /** Answers false when the broker is away. */
  connect(signal: AbortSignal): Promise<boolean>;
  /** Answers false when the broker is away, and the text was not sent. */
  publish(text: string): boolean;
  acknowledge(messageId: string): void;
  /** Acknowledges later if nobody else does. */
  owe(messageId: string): void;
};

/** Composes the command; `isUsed` tells whether its time is that of an earlier one of the same step. */
export type Compose = (isUsed: (work: Work) => boolean) => OutgoingCommand;

export class CapabilityLine {
  readonly #parts: LineParts;
  readonly #turns = new Turns();
  readonly #traffic: Traffic;
  readonly #sentWorks = new Recent();
  readonly #sentMessages = new Recent();
  readonly #ownResults = new Recent();
  readonly #otherResults = new Recent();
  readonly #listeners = new Set<() => void>();
  #current: SentCommand | undefined;

  constructor(parts: LineParts) {
    this.#parts = parts;
    this.#traffic = new Traffic(parts.timing.ackMs);
  }

  get isWorking(): boolean {
    return this.#current !== undefined || this.#traffic.workingUntil(now()) !== undefined;
  }

  async perform(compose: Compose, signal: AbortSignal): Promise<Ending> {
    if (!(await this.#turns.enter(signal))) return { kind: 'aborted', while: 'queueing' };
    try {
      if (!(await this.#parts.connect(signal))) {
        return signal.aborted ? { kind: 'aborted', while: 'connecting' } : { kind: 'unsent' };
      }
      if (!(await this.#untilFree(signal))) return { kind: 'aborted', while: 'queueing' };
      return await this.#send(
        compose((work) => this.#isUsed(work)),
        signal,
      );
    } finally {
      this.#turns.leave();
    }
  }

  /** Whether the answer was given by the fin to a command it got. */
  receiveAnswer(type: 'ack' | 'nack', messageId: string): boolean {
    const known =
      this.#current?.answered(type, messageId) ||
      (type === 'ack' ? this.#traffic.begin(messageId) : this.#traffic.refuse(messageId, now()));
    if (known) this.#news();
    return known;
  }

  receiveCommand({ messageId, work, timeoutMs }: SeenCommand): void {
    if (this.#sentMessages.has(messageId)) return;
    const { abandonedMs } = this.#parts.timing;
    const untilMs = now() + (timeoutMs ?? 0) + abandonedMs;
    this.#traffic.add({ messageId, work, begun: false, untilMs }, now());
    this.#news();
  }

  receiveResult(result: FinResult): void {
    const { messageId, work } = result;
    const isRepeated = this.#ownResults.has(messageId) || this.#otherResults.has(messageId);
    const owner = this.#ownResults.has(messageId) ? 'past' : this.#ownerOf(work);
    if (owner === 'other') this.#parts.owe(messageId);
    else this.#parts.acknowledge(messageId);
    if (isRepeated) return;
    (owner === 'other' ? this.#otherResults : this.#ownResults).add(messageId);
    if (owner === 'current') this.#current?.end({ kind: 'result', result });
    else this.#traffic.finish(work, now());
    this.#news();
  }

  /** The fin has begun anew: what it was doing is lost. */
  restarted(): void {
    this.#traffic.clear();
    this.#news();
  }

  /** The broker is lost, and with it what others and the fin do. Answers whether a command was under way. */
  disconnected(): boolean {
    const wasWorking = this.#current !== undefined;
    this.#current?.end({ kind: 'cut-off' });
    this.restarted();
    return wasWorking;
  }

  async #send(command: OutgoingCommand, signal: AbortSignal): Promise<Ending> {
    const sent = new SentCommand(command, signal);
    this.#current = sent;
    this.#sentMessages.add(command.messageId);
    this.#sentWorks.add(nameOf(command.work));
    this.#sentWorks.add(nameOf({ ...command.work, generatedUs: inMilliseconds(command.work) }));
    this.#sentWorks.add(nameOf({ ...command.work, generatedUs: undefined }));
    if (!this.#parts.publish(command.text)) sent.end({ kind: 'unsent' });
    const stop = this.#watch(() => this.#acknowledgedBy(sent));
    const ending = await sent.ended;
    stop();
    this.#current = undefined;
    if (ending.kind === 'aborted' || ending.kind === 'silent') this.#giveUp(sent);
    return ending;
  }

  /** L1, L2: when to look again, or undefined when there is nothing to wait for. */
  #acknowledgedBy(sent: SentCommand): number | undefined {
    if (sent.isAcknowledged) return undefined;
    const nowMs = now();
    const { ackMs } = this.#parts.timing;
    const busyMs = this.#traffic.workingUntil(nowMs);
    const dueMs = busyMs ?? Math.max(sent.sentMs, this.#traffic.lastFinishedMs) + ackMs;
    if (dueMs > nowMs) return dueMs;
    sent.end({ kind: 'silent' });
    return undefined;
  }

  #giveUp({ command, isAcknowledged, sentMs }: SentCommand): void {
    const { messageId, work } = command;
    const untilMs = now() + this.#parts.timing.abandonedMs;
    this.#traffic.add({ messageId, work, begun: isAcknowledged, untilMs }, sentMs);
  }

  #ownerOf(work: Work): 'current' | 'past' | 'other' {
    const known = this.#sentWorks.has(nameOf(work));
    if (!this.#current?.isFor(work)) return known ? 'past' : 'other';
    if (work.generatedUs === undefined || isSame(this.#current.command.work, work)) {
      return 'current';
    }
    if (known) return 'past';
    // A time nobody sent is one the fin has made up.
    return this.#traffic.has(work) ? 'other' : 'current';
  }

  #isUsed(work: Work): boolean {
    return this.#sentWorks.has(nameOf({ ...work, generatedUs: inMilliseconds(work) }));
  }

  #untilFree(signal: AbortSignal): Promise<boolean> {
    if (this.#traffic.busyUntil(now()) === undefined) return Promise.resolve(!signal.aborted);
    return new Promise((resolve) => {
      let stop = () => {};
      const end = () => {
        stop();
        signal.removeEventListener('abort', end);
        resolve(!signal.aborted);
      };
      signal.addEventListener('abort', end);
      stop = this.#watch(() => {
        const untilMs = this.#traffic.busyUntil(now());
        if (untilMs === undefined) end();
        return untilMs;
      });
    });
  }

  /** Looks now, at every news, and at the time the last look named, until it names none. */
  #watch(look: () => number | undefined): () => void {
    let timer: NodeJS.Timeout | undefined;
    const stop = () => {
      clearTimeout(timer);
      this.#listeners.delete(again);
    };
    const again = () => {
      clearTimeout(timer);
      const atMs = look();
      if (atMs === undefined) stop();
      else timer = setTimeout(again, Math.ceil(atMs - now()));
    };
    this.#listeners.add(again);
    again();
    return stop;
  }

  #news(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

function nameOf({ executionId, stepId, generatedUs }: Work): string {
  return `${executionId} ${stepId} ${generatedUs ?? ''}`;
}

function now(): number {
  return performance.now();
}
