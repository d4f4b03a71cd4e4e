/** Activities to run. A row leaves in the same transaction that records the completion. */
import type { DatabaseSync } from 'node:sqlite';
import { numberOf, textOf } from './sql-row.ts';

export type WorkItem = {
  readonly number: number;
  readonly instanceId: string;
  readonly executionId: string;
  readonly taskId: number;
  readonly name: string;
};

export class WorkTable {
  readonly #add;
  readonly #all;
  readonly #input;
  readonly #remove;
  readonly #delete;

  constructor(database: DatabaseSync) {
    this.#add = database.prepare(
      'INSERT INTO work (instance, execution, task, name, input) VALUES (?, ?, ?, ?, ?)',
    );
    this.#all = database.prepare(
      'SELECT number, instance, execution, task, name FROM work ORDER BY number',
    );
    this.#input = database.prepare('SELECT input FROM work WHERE number = ?');
    this.#remove = database.prepare('DELETE FROM work WHERE number = ?');
    this.#delete = database.prepare('DELETE FROM work WHERE instance = ?');
  }

  add(item: Omit<WorkItem, 'number'>, input: string): WorkItem {
    const { instanceId, executionId, taskId, name } = item;
    const added = this.#add.run(instanceId, executionId, taskId, name, input);
    return { ...item, number: Number(added.lastInsertRowid) };
  }

  all(): readonly WorkItem[] {
    return this.#all.all().map((row) => ({
      number: numberOf(row, 'number'),
      instanceId: textOf(row, 'instance'),
      executionId: textOf(row, 'execution'),
      taskId: numberOf(row, 'task'),
      name: textOf(row, 'name'),
    }));
  }

  /** The input text, or undefined when the item is gone because its instance is. */
  inputOf(number: number): string | undefined {
    const row = this.#input.get(number);
    return row === undefined ? undefined : textOf(row, 'input');
  }

  remove(number: number): void {
    this.#remove.run(number);
  }

  delete(instanceId: string): void {
    this.#delete.run(instanceId);
  }
}
