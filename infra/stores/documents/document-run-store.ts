/** Keeps the headers of executions, each in the state of its run. */

import type { ExecutionId } from '../../../core/execution/ids.ts';
import type { Control, Run } from '../../../core/execution/run.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { NewRun, RunFilter, RunStore } from '../../../core/ports/run-store.ts';
import { isFinished } from '../run-rules.ts';
import { readPiece } from './pieces.ts';
import type { ListedRun } from './run-lists.ts';
import type { Runs } from './runs.ts';
import { stampAgeMs, stampOf } from './stamps.ts';

type Shown = { readonly order: string; readonly run: Run };

/** A list entry without a run is what a creation left that never came to its end. */
const UNBORN_FOR_MS = 3_600_000;
/** Finished runs looked at in one request while old ones are sought. */
const PAGE = 100;

export class DocumentRunStore implements RunStore {
  readonly #runs: Runs;

  constructor(runs: Runs) {
    this.#runs = runs;
  }

  create(newRun: NewRun): Promise<{ readonly created: boolean; readonly run: Run }> {
    return this.#runs.create(newRun);
  }

  async get(id: ExecutionId): Promise<Run | undefined> {
    return (await this.#runs.load(id))?.run;
  }

  async snapshot(id: ExecutionId): Promise<JsonObject | undefined> {
    const state = await this.#runs.recall(id);
    return state && readPiece(this.#runs.parts, id, state.snapshot);
  }

  /** After a crash a run that has just ended may be missing among the finished until the running are listed. */
  async list(filter: RunFilter): Promise<readonly Run[]> {
    const { finished, playbookId, order, limit } = filter;
    const descending = order === 'newest-first';
    const range = { playbookId, descending, ...(limit === undefined ? {} : { limit }) };
    const ended =
      finished === false ? [] : await this.#shown(await this.#runs.lists.finished(range));
    const running = finished === true ? [] : await this.#running();
    const byId = new Map([...ended, ...running].map((one) => [one.run.executionId, one]));
    return [...byId.values()]
      .filter(({ run }) => finished === undefined || isFinished(run) === finished)
      .filter(({ run }) => playbookId === undefined || run.playbookId === playbookId)
      .sort((left, right) => (left.order < right.order === descending ? 1 : -1))
      .slice(0, limit)
      .map(({ run }) => run);
  }

  async setControl(id: ExecutionId, control: Control): Promise<boolean> {
    const isSet = await this.#runs.change(id, (state) =>
      isFinished(state.run)
        ? { answer: false }
        : { answer: true, state: { ...state, run: { ...state.run, control } } },
    );
    return isSet ?? false;
  }

  async purge(keep: number, most: number): Promise<readonly ExecutionId[]> {
    const excess = Math.min(most, (await this.#runs.lists.count()) - keep);
    const forgotten: ExecutionId[] = [];
    let from: { readonly from?: string } = {};
    while (forgotten.length < excess) {
      const page = await this.#runs.lists.finished({ ...from, limit: PAGE });
      for (const { run } of await this.#shown(page)) {
        if (forgotten.length === excess) break;
        if (await this.#isAwaited(run)) continue;
        await this.#runs.forget(run.executionId);
        forgotten.push(run.executionId);
      }
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) break;
      // Orders are made of digits and small letters, so this lies right behind the last one seen.
      from = { from: `${last.order}~` };
    }
    return forgotten;
  }

  /** Looks every entry up, and puts those right that a crash has left behind. */
  async #running(): Promise<readonly Shown[]> {
    const entries = await this.#runs.lists.running();
    const views = await this.#runs.views(entries.map(({ id }) => id));
    const shown: Shown[] = [];
    for (const { id, order } of entries) {
      const view = views.get(id)?.view;
      const isPlain = view !== undefined && view.isUnclaimed === undefined && !isFinished(view.run);
      const run = isPlain ? view.run : await this.#putRight(id, order);
      if (run !== undefined) shown.push({ order, run });
    }
    return shown;
  }

  async #putRight(id: ExecutionId, order: string): Promise<Run | undefined> {
    const state = await this.#runs.load(id);
    if (state !== undefined && isFinished(state.run)) await this.#runs.lists.end(state);
    const isUnborn = state === undefined && stampAgeMs(stampOf(order)) > UNBORN_FOR_MS;
    if (isUnborn) await this.#runs.forget(id);
    return state?.run;
  }

  async #shown(entries: readonly ListedRun[]): Promise<readonly Shown[]> {
    const shown = entries.map(async ({ id, order, view }) => {
      const run = view?.run ?? (await this.#runs.load(id))?.run;
      return run === undefined ? [] : [{ order, run }];
    });
    return (await Promise.all(shown)).flat();
  }

  /** Whether a running parent still stands at the turn that began this run. */
  async #isAwaited({ executionId, parent }: Run): Promise<boolean> {
    const state = parent && (await this.#runs.load(parent.executionId));
    if (state === undefined || isFinished(state.run)) return false;
    return state.walks.some(({ child }) => child === executionId);
  }
}
