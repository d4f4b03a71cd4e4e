/** A command on its way, until the first thing that ends it. */

import type { FinResult, Work } from '../../core/fins/message.ts';

export type OutgoingCommand = {
  readonly messageId: string;
  readonly work: Work & { readonly generatedUs: number };
  readonly text: string;
};

export type Ending = { readonly kind: 'result'; readonly result: FinResult } | EndingWithoutResult;

export type EndingWithoutResult =
  /** The fin answered that it will not carry it out. */
  | { readonly kind: 'refused' }
  /** The fin did not acknowledge it in time. */
  | { readonly kind: 'silent' }
  /** The broker was lost meanwhile; whether the fin carries it out is not known. */
  | { readonly kind: 'cut-off' }
  /** The broker is away; the fin has not got it. */
  | { readonly kind: 'unsent' }
  /** The caller's time is up, or it does not want it any more. */
  | { readonly kind: 'aborted'; readonly while: 'queueing' | 'connecting' | 'working' };

export class SentCommand {
  readonly command: OutgoingCommand;
  readonly ended: Promise<Ending>;
  readonly sentMs: number = performance.now();
  readonly #signal: AbortSignal;
  readonly #resolve: (ending: Ending) => void;
  #acknowledged = false;

  constructor(command: OutgoingCommand, signal: AbortSignal) {
    const { promise, resolve } = Promise.withResolvers<Ending>();
    this.command = command;
    this.ended = promise;
    this.#resolve = resolve;
    this.#signal = signal;
    signal.addEventListener('abort', this.#abort);
  }

  get isAcknowledged(): boolean {
    return this.#acknowledged;
  }

  isFor({ executionId, stepId }: Work): boolean {
    const { work } = this.command;
    return work.executionId === executionId && work.stepId === stepId;
  }

  /** Whether the answer is for this command. */
  answered(type: 'ack' | 'nack', messageId: string): boolean {
    if (messageId !== this.command.messageId) return false;
    if (type === 'ack') this.#acknowledged = true;
    else this.end({ kind: 'refused' });
    return true;
  }

  /** Only the first ending counts. */
  end(ending: Ending): void {
    this.#signal.removeEventListener('abort', this.#abort);
    this.#resolve(ending);
  }

  readonly #abort = () => this.end({ kind: 'aborted', while: 'working' });
}
