/** Keeps manual commands with the walks that ask them, in the states of their runs. */

import type { StepId } from '../../../core/cacao/ids.ts';
import type { ExecutionId, WalkId } from '../../../core/execution/ids.ts';
import type { ManualCommand, ManualState } from '../../../core/execution/manual-command.ts';
import type { ManualQueue } from '../../../core/ports/manual-queue.ts';
import { isFinished } from '../run-rules.ts';
import { readPieces, whole } from './pieces.ts';
import { type AskedCommand, findWalk, type RunState, type WalkEntry } from './run-state.ts';
import type { Runs } from './runs.ts';
import { stampAgeMs } from './stamps.ts';

type Asking = WalkEntry & { readonly asked: AskedCommand };

export class DocumentManualQueue implements ManualQueue {
  readonly #runs: Runs;

  constructor(runs: Runs) {
    this.#runs = runs;
  }

  list(): Promise<readonly ManualCommand[]> {
    return this.#inState('pending');
  }

  answered(): Promise<readonly ManualCommand[]> {
    return this.#inState('answered');
  }

  get(id: ExecutionId, stepId: StepId, walkId?: WalkId): Promise<ManualCommand | undefined> {
    return whole(async () => {
      const state = await this.#runs.load(id);
      const newest = state && newestOf(state, (asked) => asked.stepId === stepId, walkId);
      const [command] = await this.#commands(id, newest === undefined ? [] : [newest.asked]);
      return command;
    });
  }

  settle(
    ...[id, stepId, turn, to, walkId]: Parameters<ManualQueue['settle']>
  ): ReturnType<ManualQueue['settle']> {
    type Settled = Awaited<ReturnType<ManualQueue['settle']>>;
    return this.#runs.change<Settled>(id, (state) => {
      const isMeant = (asked: AskedCommand) => asked.stepId === stepId && asked.turn === turn;
      const walk = newestOf(state, isMeant, walkId);
      if (walk === undefined) return { answer: undefined };
      const { asked } = walk;
      if (asked.state.kind !== 'pending') return { answer: { won: false, state: asked.state } };
      const settled: WalkEntry = { ...walk, asked: { ...asked, state: to } };
      const walks = state.walks.map((one) => (one.asked === asked ? settled : one));
      return { answer: { won: true, state: structuredClone(to) }, state: { ...state, walks } };
    });
  }

  async #inState(kind: ManualState['kind']): Promise<readonly ManualCommand[]> {
    const questions = await this.#runs.lists.questions();
    const ids = [...new Set(questions.map(({ executionId }) => executionId))];
    const states = await whole(() => this.#runs.loadAll(ids));
    await this.#removeOutdated(questions, states);
    const found = await Promise.all(
      states.map(async (state) => {
        const asked = askingOf(state).map((walk) => walk.asked);
        const wanted = asked.filter((one) => one.state.kind === kind);
        const commands = await this.#commands(state.run.executionId, wanted);
        return commands.map((command, index) => ({ command, stamp: wanted[index]?.stamp ?? '' }));
      }),
    );
    return found
      .flat()
      .sort(
        (left, right) =>
          left.command.openedMs - right.command.openedMs || (left.stamp < right.stamp ? -1 : 1),
      )
      .map(({ command }) => command);
  }

  async #commands(id: ExecutionId, asked: readonly AskedCommand[]): Promise<ManualCommand[]> {
    const pieces = asked.map(({ command }) => command);
    const commands = await readPieces(this.#runs.parts, id, pieces);
    return commands.map((command, index) => ({
      ...command,
      state: asked[index]?.state ?? command.state,
    }));
  }

  /** Of turns that have passed without a question; one that is still to come may yet be asked. */
  async #removeOutdated(questions: Questions, states: readonly RunState[]): Promise<void> {
    const byId = new Map(states.map((state) => [state.run.executionId, state]));
    for (const question of questions) {
      const state = byId.get(question.executionId);
      if (isOutdated(question, state)) await this.#runs.lists.removeQuestion(question);
    }
  }
}

type Questions = Awaited<ReturnType<Runs['lists']['questions']>>;

/** A walk that is not there may not have been seen yet where reads lag behind writes. */
const UNSEEN_FOR_MS = 3_600_000;

function isOutdated({ walkId, turn, stamp }: Questions[number], state: RunState | undefined) {
  if (state !== undefined && isFinished(state.run)) return true;
  const walk = state && findWalk(state, walkId);
  if (walk === undefined) return stampAgeMs(stamp) > UNSEEN_FOR_MS;
  return walk.asked?.turn !== turn && walk.record.turn >= turn;
}

function askingOf({ walks }: RunState): Asking[] {
  return walks.flatMap((walk) => {
    const { asked } = walk;
    return asked === undefined ? [] : [{ ...walk, asked }];
  });
}

function newestOf(
  state: RunState,
  isMeant: (asked: AskedCommand) => boolean,
  walkId: WalkId | undefined,
): Asking | undefined {
  return askingOf(state)
    .filter(({ record, asked }) => {
      return isMeant(asked) && (walkId === undefined || record.walkId === walkId);
    })
    .sort(
      ({ asked: left }, { asked: right }) =>
        right.openedMs - left.openedMs || (left.stamp < right.stamp ? 1 : -1),
    )
    .at(0);
}
