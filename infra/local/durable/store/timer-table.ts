/** Timers that have not fired, of current generations only. */
import type { DatabaseSync } from 'node:sqlite';
import { numberOf, textOf } from './sql-row.ts';

export type StoredTimer = {
  readonly instanceId: string;
  readonly executionId: string;
  readonly taskId: number;
  readonly fireAt: number;
};

/** Timers moved to the inbox in one transaction. */
const dueLimit = 500;

export class TimerTable {
  readonly #add;
  readonly #due;
  readonly #next;
  readonly #tasks;
  readonly #remove;
  readonly #delete;

  constructor(database: DatabaseSync) {
    this.#add = database.prepare('INSERT INTO timers VALUES (?, ?, ?, ?)');
    this.#due = database.prepare(
      'SELECT * FROM timers WHERE fire_at <= ? ORDER BY fire_at, instance, task LIMIT ?',
    );
    this.#next = database.prepare('SELECT MIN(fire_at) AS fire_at FROM timers');
    this.#tasks = database.prepare('SELECT task FROM timers WHERE instance = ?');
    this.#remove = database.prepare('DELETE FROM timers WHERE instance = ? AND task = ?');
    this.#delete = database.prepare('DELETE FROM timers WHERE instance = ?');
  }

  add(timer: StoredTimer): void {
    this.#add.run(timer.instanceId, timer.taskId, timer.executionId, timer.fireAt);
  }

  due(now: number): readonly StoredTimer[] {
    return this.#due.all(now, dueLimit).map((row) => ({
      instanceId: textOf(row, 'instance'),
      executionId: textOf(row, 'execution'),
      taskId: numberOf(row, 'task'),
      fireAt: numberOf(row, 'fire_at'),
    }));
  }

  /** When the next timer fires, or undefined when there is none. */
  next(): number | undefined {
    const row = this.#next.get();
    return row === undefined || row['fire_at'] === null ? undefined : numberOf(row, 'fire_at');
  }

  /** Task numbers of the instance's timers. */
  tasksOf(instanceId: string): readonly number[] {
    return this.#tasks.all(instanceId).map((row) => numberOf(row, 'task'));
  }

  remove(instanceId: string, taskId: number): void {
    this.#remove.run(instanceId, taskId);
  }

  delete(instanceId: string): void {
    this.#delete.run(instanceId);
  }
}
