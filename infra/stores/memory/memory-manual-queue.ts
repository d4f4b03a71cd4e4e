/** Keeps manual commands in the memory of this process, each with the walk that asked. */

import type { StepId } from '../../../core/cacao/ids.ts';
import type { ExecutionId, WalkId } from '../../../core/execution/ids.ts';
import type { ManualCommand } from '../../../core/execution/manual-command.ts';
import type { ManualQueue } from '../../../core/ports/manual-queue.ts';
import { frozen } from './frozen.ts';
import type { MemoryDatabase, MemoryTables, RunRow } from './memory-database.ts';

export class MemoryManualQueue implements ManualQueue {
  readonly #database: MemoryDatabase;

  constructor(database: MemoryDatabase) {
    this.#database = database;
  }

  list(): Promise<readonly ManualCommand[]> {
    return this.#database.request((tables) => inState(tables, 'pending'));
  }

  answered(): Promise<readonly ManualCommand[]> {
    return this.#database.request((tables) => inState(tables, 'answered'));
  }

  get(id: ExecutionId, stepId: StepId, walkId?: WalkId): Promise<ManualCommand | undefined> {
    return this.#database.request(({ runs }) =>
      newestFirst(runs.get(id)).find(
        (command) => command.stepId === stepId && isOf(command, walkId),
      ),
    );
  }

  settle(
    ...[id, stepId, turn, to, walkId]: Parameters<ManualQueue['settle']>
  ): ReturnType<ManualQueue['settle']> {
    return this.#database.request(({ runs }) => {
      const row = runs.get(id);
      const command = newestFirst(row).find(
        (known) => known.stepId === stepId && known.turn === turn && isOf(known, walkId),
      );
      const walk = command && row?.walks.get(command.walkId);
      if (row === undefined || command === undefined || walk === undefined) return undefined;
      if (command.state.kind !== 'pending') return { won: false, state: command.state };
      const manual = frozen({ ...command, state: to });
      row.walks.set(command.walkId, { ...walk, manual });
      return { won: true, state: manual.state };
    });
  }
}

function inState({ runs }: MemoryTables, kind: ManualCommand['state']['kind']): ManualCommand[] {
  return [...runs.values()]
    .flatMap(commandsOf)
    .filter(({ state }) => state.kind === kind)
    .sort((left, right) => left.openedMs - right.openedMs);
}

function newestFirst(row: RunRow | undefined): ManualCommand[] {
  const commands = row === undefined ? [] : commandsOf(row);
  return commands.reverse().sort((left, right) => right.openedMs - left.openedMs);
}

function commandsOf(row: RunRow): ManualCommand[] {
  return [...row.walks.values()].flatMap(({ manual }) => (manual === undefined ? [] : [manual]));
}

function isOf(command: ManualCommand, walkId: WalkId | undefined): boolean {
  return walkId === undefined || command.walkId === walkId;
}
