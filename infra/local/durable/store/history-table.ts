/** The history of the current generation of each instance, one row per episode. */
import type { DatabaseSync } from 'node:sqlite';
import type { HistoryEvent } from '../protocol/history-event.ts';
import { textOf } from './sql-row.ts';

export class HistoryTable {
  readonly #append;
  readonly #load;
  readonly #delete;

  constructor(database: DatabaseSync) {
    this.#append = database.prepare('INSERT INTO history VALUES (?, ?, ?)');
    this.#load = database.prepare('SELECT events FROM history WHERE instance = ? ORDER BY episode');
    this.#delete = database.prepare('DELETE FROM history WHERE instance = ?');
  }

  /** Returns the size of what was written, in UTF-16 units. */
  append(instanceId: string, episode: number, events: readonly HistoryEvent[]): number {
    const text = JSON.stringify(events);
    this.#append.run(instanceId, episode, text);
    return text.length;
  }

  load(instanceId: string): {
    readonly events: HistoryEvent[];
    readonly episodes: number;
    readonly size: number;
  } {
    const events: HistoryEvent[] = [];
    const rows = this.#load.all(instanceId);
    let size = 0;
    for (const row of rows) {
      const text = textOf(row, 'events');
      size += text.length;
      events.push(...(JSON.parse(text) as HistoryEvent[]));
    }
    return { events, episodes: rows.length, size };
  }

  delete(instanceId: string): void {
    this.#delete.run(instanceId);
  }
}
