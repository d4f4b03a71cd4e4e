/** Messages that wait for the next episode of their instance. */
import type { DatabaseSync } from 'node:sqlite';
import type { EventRaised, InboundEvent } from '../protocol/history-event.ts';
import { numberOf, textOf, textOrNull } from './sql-row.ts';

/** What is delivered; `carried` are events that a continueAsNew takes along, right after the start. */
export type Message = {
  readonly event: InboundEvent;
  readonly carried?: readonly EventRaised[];
};

export type InboxEntry = Message & {
  readonly number: number;
  /** Generation the message is for; null means whichever is current. */
  readonly executionId: string | null;
};

/** More than this in one batch and the rest waits for the next episode. */
const batchLimit = 1000;

export class InboxTable {
  /** How many messages each instance has; spares the hot path a query that finds nothing. */
  readonly #counts = new Map<string, number>();
  readonly #add;
  readonly #peek;
  readonly #remove;
  readonly #owners;
  readonly #delete;

  constructor(database: DatabaseSync) {
    this.#add = database.prepare(
      'INSERT INTO inbox (instance, execution, rank, message) VALUES (?, ?, ?, ?)',
    );
    this.#peek = database.prepare(
      'SELECT number, execution, message FROM inbox WHERE instance = ? ORDER BY rank, number LIMIT ?',
    );
    this.#remove = database.prepare('DELETE FROM inbox WHERE number = ?');
    this.#owners = database.prepare('SELECT instance, count(*) AS n FROM inbox GROUP BY instance');
    this.#delete = database.prepare('DELETE FROM inbox WHERE instance = ?');
    this.recount();
  }

  /** Reads the counts anew; needed after a transaction was rolled back. */
  recount(): void {
    this.#counts.clear();
    for (const row of this.#owners.all()) {
      this.#counts.set(textOf(row, 'instance'), numberOf(row, 'n'));
    }
  }

  has(instanceId: string): boolean {
    return this.#counts.has(instanceId);
  }

  /** Ids of all instances with waiting messages. */
  owners(): readonly string[] {
    return [...this.#counts.keys()];
  }

  add(instanceId: string, executionId: string | null, message: Message): void {
    const rank = message.event.kind === 'ExecutionStarted' ? 0 : 1;
    this.#add.run(instanceId, executionId, rank, JSON.stringify(message));
    this.#counts.set(instanceId, (this.#counts.get(instanceId) ?? 0) + 1);
  }

  /** The oldest messages of an instance, its start first, up to a thousand. */
  peek(instanceId: string): readonly InboxEntry[] {
    if (!this.has(instanceId)) return [];
    return this.#peek.all(instanceId, batchLimit).map((row) => ({
      ...(JSON.parse(textOf(row, 'message')) as Message),
      number: numberOf(row, 'number'),
      executionId: textOrNull(row, 'execution'),
    }));
  }

  remove(instanceId: string, number: number): void {
    this.#remove.run(number);
    const left = (this.#counts.get(instanceId) ?? 1) - 1;
    if (left > 0) this.#counts.set(instanceId, left);
    else this.#counts.delete(instanceId);
  }

  delete(instanceId: string): void {
    if (!this.#counts.delete(instanceId)) return;
    this.#delete.run(instanceId);
  }
}
