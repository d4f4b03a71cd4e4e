/**
 * The durable database as the engine uses it. All calls are synchronous, so whatever happens
 * inside `transaction` is atomic also towards the rest of this process.
 */
import type { DatabaseSync } from 'node:sqlite';
import { HistoryTable } from './history-table.ts';
import { InboxTable } from './inbox-table.ts';
import { InstanceTable } from './instance-table.ts';
import { openDatabase } from './open-database.ts';
import { TimerTable } from './timer-table.ts';
import { WorkTable } from './work-table.ts';

export class DurableStore {
  readonly instances: InstanceTable;
  readonly history: HistoryTable;
  readonly inbox: InboxTable;
  readonly work: WorkTable;
  readonly timers: TimerTable;
  readonly #database: DatabaseSync;
  readonly #begin;
  readonly #commit;

  /** Opens the database for this process alone; throws `DatabaseInUse` when another has it. */
  constructor(path: string, synchronous: 'NORMAL' | 'FULL') {
    const database = openDatabase(path, synchronous);
    this.#database = database;
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    this.instances = new InstanceTable(database);
    this.history = new HistoryTable(database);
    this.inbox = new InboxTable(database);
    this.work = new WorkTable(database);
    this.timers = new TimerTable(database);
  }

  /** Runs the writes of `work` as one: all of them or, when it throws, none. */
  transaction<T>(work: () => T): T {
    this.#begin.run();
    try {
      const result = work();
      this.#commit.run();
      return result;
    } catch (error) {
      // A full disk has already rolled back; the first error is the one to report.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      this.inbox.recount();
      throw error;
    }
  }

  /** Removes everything an instance has besides its row. */
  clear(instanceId: string): void {
    this.history.delete(instanceId);
    this.inbox.delete(instanceId);
    this.work.delete(instanceId);
    this.timers.delete(instanceId);
  }

  close(): void {
    this.#database.close();
  }
}
