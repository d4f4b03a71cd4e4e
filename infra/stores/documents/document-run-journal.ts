/** Keeps the record of what happened in the state of each run: one commit point per turn. */

import type { ExecutionId, WalkId } from '../../../core/execution/ids.ts';
import { walkLineage } from '../../../core/execution/ids.ts';
import type { StepRecord, Variables } from '../../../core/execution/run.ts';
import type { Commit, OpenWalk, RunJournal } from '../../../core/ports/run-journal.ts';
import { isFinished } from '../run-rules.ts';
import { readPieces, whole } from './pieces.ts';
import { findWalk, type RunState, type Scope } from './run-state.ts';
import type { Runs } from './runs.ts';
import { keptOf, writeStep } from './step-log.ts';
import { readSegments } from './step-segments.ts';
import { questionsOf, takeTurn } from './take-turn.ts';

export class DocumentRunJournal implements RunJournal {
  readonly #runs: Runs;

  constructor(runs: Runs) {
    this.#runs = runs;
  }

  open(id: ExecutionId, walkId: WalkId): Promise<OpenWalk | undefined> {
    return whole(async () => {
      const state = await this.#runs.load(id);
      const walk = state && findWalk(state, walkId);
      if (state === undefined || walk === undefined) return undefined;
      const outer = walkLineage(walkId).map((one) => findWalk(state, one)?.variables ?? []);
      const variables = await this.#variables(id, [...state.initial, ...outer.flat()]);
      return { run: state.run, walk: walk.record, variables };
    });
  }

  async begin(
    id: ExecutionId,
    walkId: WalkId,
    turn: number,
    step: StepRecord,
  ): Promise<number | 'stale'> {
    const begun = await this.#runs.change<number | 'stale'>(id, (state, draft) => {
      const walk = findWalk(state, walkId);
      if (walk === undefined || walk.record.turn !== turn) return { answer: 'stale' };
      const attempts = walk.record.attempts + 1;
      const standing = { ...walk, record: { ...walk.record, attempts } };
      const walks = state.walks.map((one) => (one === walk ? standing : one));
      return {
        answer: attempts,
        state: { ...state, walks, log: writeStep(state.log, step, draft) },
      };
    });
    return begun ?? 'stale';
  }

  async commit(commit: Commit): Promise<'committed' | 'stale'> {
    const { lists, stamps } = this.#runs;
    const stamp = stamps.next();
    type Step = { readonly from: RunState; readonly to: RunState };
    const step = await this.#runs.change<Step | 'stale'>(commit.executionId, (from, draft) => {
      const walk = findWalk(from, commit.walkId);
      if (walk?.record.turn !== commit.fromTurn) return { answer: 'stale' };
      const to = takeTurn(from, commit, stamp, draft);
      const { ask } = commit;
      const before = ask === undefined ? {} : { before: () => lists.ask(ask, stamp) };
      return { answer: { from, to }, state: to, ...before };
    });
    if (step === undefined || step === 'stale') return 'stale';
    // The turn is recorded. What a crash leaves undone of the lists is done by whoever reads them next.
    await this.#updateLists(step.from, step.to).catch(() => {});
    return 'committed';
  }

  async written(id: ExecutionId, walkId: WalkId): Promise<Variables> {
    return whole(async () => {
      const state = await this.#runs.load(id);
      const walk = state && findWalk(state, walkId);
      return this.#variables(id, walk?.variables ?? []);
    });
  }

  async steps(
    id: ExecutionId,
  ): Promise<readonly { readonly record: StepRecord; readonly count: number }[]> {
    return whole(async () => {
      const state = await this.#runs.load(id);
      if (state === undefined) return [];
      const { log } = state;
      const flushed = await readSegments(this.#runs.parts, id, state);
      const { entries, counts } = keptOf([...flushed.entries, ...log.tail], log.dropped);
      const records = await readPieces(
        this.#runs.parts,
        id,
        entries.map(({ record }) => record),
      );
      return records.map((record) => ({ record, count: counts.get(record.stepId) ?? 1 }));
    });
  }

  async #variables(id: ExecutionId, scope: Scope): Promise<Variables> {
    const visible = [...new Map(scope)];
    const pieces = visible.map(([, piece]) => piece);
    const values = await readPieces(this.#runs.parts, id, pieces);
    return Object.fromEntries(values.map((value, index) => [visible[index]?.[0] ?? '', value]));
  }

  async #updateLists(from: RunState, to: RunState): Promise<void> {
    const { lists } = this.#runs;
    const left = new Set(questionsOf(to).map(({ walkId, turn }) => `${walkId} ${turn}`));
    for (const question of questionsOf(from)) {
      if (!left.has(`${question.walkId} ${question.turn}`)) await lists.removeQuestion(question);
    }
    if (isFinished(to.run)) await lists.end(to);
  }
}
