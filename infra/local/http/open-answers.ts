/** Keeps count of the requests that wait for their answer, so that a stop can let them finish. */

import type { ServerResponse } from 'node:http';
import { within } from '../take-down.ts';

export class OpenAnswers {
  readonly #responses = new Map<ServerResponse, Promise<void>>();

  add(response: ServerResponse): void {
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    this.#responses.set(response, closed);
    void closed.then(() => this.#responses.delete(response));
  }

  /**
   * Waits up to `deadlineMs` for requests without an answer. Answers under way get a second at most:
   * a stream of events would not end by itself.
   */
  async settle(deadlineMs: number): Promise<void> {
    const unanswered = [...this.#responses].filter(([response]) => !response.headersSent);
    await within(deadlineMs, Promise.all(unanswered.map(([, closed]) => closed)));
    await within(Math.min(deadlineMs, 1000), Promise.all(this.#responses.values()));
  }
}
