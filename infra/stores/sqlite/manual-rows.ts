/** Manual commands as rows, one per walk; commands that ask or are consumed ride in a walk's commit. */

import type { WalkId } from '../../../core/execution/ids.ts';
import type { ManualCommand } from '../../../core/execution/manual-command.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

export function ask(database: SqliteDatabase, run: number, command: ManualCommand): void {
  database.run('DELETE FROM manual_commands WHERE run = ? AND walk = ?', run, command.walkId);
  database.run(
    `INSERT INTO manual_commands (run, walk, step, turn, opened_ms, state, command)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    run,
    command.walkId,
    command.stepId,
    command.turn,
    command.openedMs,
    command.state.kind,
    JSON.stringify(command),
  );
}

export function consume(
  database: SqliteDatabase,
  run: number,
  walk: WalkId,
  { stepId, turn }: Pick<ManualCommand, 'stepId' | 'turn'>,
): void {
  database.run(
    'DELETE FROM manual_commands WHERE run = ? AND walk = ? AND step = ? AND turn = ?',
    run,
    walk,
    stepId,
    turn,
  );
}

export function removeCommands(database: SqliteDatabase, run: number): void {
  database.run('DELETE FROM manual_commands WHERE run = ?', run);
}
