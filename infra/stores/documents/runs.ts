/**
 * Runs as whole things: created once, changed one version at a time, forgotten with all that is theirs.
 *
 * R1  A change reads the state, works out the next one, writes what that refers to and then the state
 *     itself, provided nobody else has changed it. Otherwise it begins again with what it is now.
 * R2  A run with an idempotency key exists once the key is its own.
 * R3  A child stands in its parent's state from the commit that begins it. Whoever reads that parent next
 *     makes sure that the child is there, so nobody who can know the child misses it.
 */

import type { ExecutionId } from '../../../core/execution/ids.ts';
import type { Run } from '../../../core/execution/run.ts';
import type { NewRun } from '../../../core/ports/run-store.ts';
import { isFinished } from '../run-rules.ts';
import { storeAway } from '../store-away.ts';
import type { DocumentDatabase, DocumentTable } from './document-table.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { Draft, PieceGone, readPiece } from './pieces.ts';
import { digestOf, RunLists } from './run-lists.ts';
import { newState, type RunState } from './run-state.ts';
import { Stamps, stampOf, startOrder } from './stamps.ts';
import { type ReadState, StateDocuments, stateOf } from './state-documents.ts';
import { flush } from './step-segments.ts';

export type Change<Answer> = {
  readonly answer: Answer;
  /** Absent when there is nothing to change. */
  readonly state?: RunState;
  /** To be done before the state is written; harmless when it is not. */
  readonly before?: () => Promise<void>;
};

const MOST_TRIES = 100;
const MOST_KNOWN = 10_000;

export class Runs {
  readonly lists: RunLists;
  readonly parts: DocumentTable;
  readonly stamps = new Stamps();
  readonly #states: StateDocuments;
  readonly #turns = new OneAtATime();
  /** Runs whose key is known to be theirs although their state does not say so yet, and children born. */
  readonly #known = new Set<ExecutionId>();

  constructor(database: DocumentDatabase) {
    this.parts = database.table('parts');
    this.lists = new RunLists(database.table('lists'));
    this.#states = new StateDocuments(database.table('executions'), this.parts);
  }

  /** As it is in the database now. */
  async load(id: ExecutionId): Promise<RunState | undefined> {
    const read = await this.#states.read(id);
    return read && this.#existing(read);
  }

  /** In any order; those that do not exist are left out. */
  async loadAll(ids: readonly ExecutionId[]): Promise<readonly RunState[]> {
    const states = await this.#states.readAll(ids);
    const existing = await Promise.all(states.map((read) => this.#existing(read)));
    return existing.flatMap((state) => state ?? []);
  }

  /** As `load`, but without asking the database when this process has seen the run before. */
  async recall(id: ExecutionId): Promise<RunState | undefined> {
    const known = this.#states.recall(id);
    return known === undefined ? this.load(id) : this.#existing(known);
  }

  views(ids: readonly ExecutionId[]): ReturnType<StateDocuments['views']> {
    return this.#states.views(ids);
  }

  /** `work` may be called again. Undefined when there is no such run. */
  change<Answer>(
    id: ExecutionId,
    work: (state: RunState, draft: Draft) => Change<Answer>,
  ): Promise<Answer | undefined> {
    return this.#turns.run(id, async () => {
      for (let tries = 0; tries < MOST_TRIES; tries += 1) {
        const known = this.#states.recall(id);
        const read = known ?? (await this.#states.read(id));
        const state = read && (await this.#existing(read));
        if (read === undefined || state === undefined) return undefined;
        const changed = await this.#try(read, state, work);
        // What was remembered is enough to change a run, but not to decide against it.
        const isSure = changed?.isWritten === true || known === undefined;
        if (changed !== undefined && isSure) return changed.answer;
        this.#states.forget(id);
      }
      throw storeAway(`The run ${id} is changed by too many at once.`);
    });
  }

  /** `parent` is the order of the run that began this one: it comes first. */
  async create(
    newRun: NewRun,
    parent?: string,
  ): Promise<{ readonly created: boolean; readonly run: Run }> {
    const { run, idempotencyKey } = newRun;
    const digest = idempotencyKey === undefined ? undefined : digestOf(idempotencyKey);
    const first = digest === undefined ? undefined : await this.#ownerOf(digest);
    if (first !== undefined) return { created: false, run: first.run };
    const draft = new Draft(this.parts, run.executionId);
    const stamp = this.stamps.next(parent === undefined ? undefined : stampOf(parent));
    const order = startOrder(run.startedMs, stamp);
    const state: RunState = JSON.parse(JSON.stringify(newState(newRun, { order, digest }, draft)));
    await this.lists.begin(run.executionId, order);
    if (!(await this.#states.insert(state, draft))) return this.#taken(newRun);
    if (digest !== undefined && !(await this.lists.claim(digest, run.executionId))) {
      return this.#outrun(newRun, digest);
    }
    this.#remember(run.executionId);
    if (isFinished(run)) await this.lists.end(state);
    return { created: true, run: state.run };
  }

  /** With everything that belongs to it; its entry in the list of finished ones last. */
  async forget(id: ExecutionId): Promise<void> {
    const state = await this.load(id);
    if (state?.key !== undefined) await this.lists.disclaim(state.key.digest);
    await this.#states.remove(id);
    await this.lists.removeRunning(id);
    await this.lists.removeFinished(id);
    this.#known.delete(id);
  }

  /** Undefined when somebody else was faster. */
  async #try<Answer>(
    read: ReadState,
    before: RunState,
    work: (state: RunState, draft: Draft) => Change<Answer>,
  ): Promise<{ readonly answer: Answer; readonly isWritten: boolean } | undefined> {
    const { executionId } = before.run;
    const draft = new Draft(this.parts, executionId);
    try {
      const flushed = await flush(this.parts, executionId, before, draft);
      const { birth, ...settled } = before;
      draft.drop(birth);
      const { answer, state, before: prepare } = work({ ...settled, log: flushed.log }, draft);
      if (state === undefined) return { answer, isWritten: false };
      const next = { ...state, version: before.version + 1 };
      const parts = { ...flushed, before: prepare };
      if (!(await this.#states.replace(read, next, draft, parts))) return undefined;
      await this.#bear(next, true);
      return { answer, isWritten: true };
    } catch (error) {
      if (error instanceof PieceGone) return undefined;
      throw error;
    }
  }

  /** Makes sure of R2 and R3. */
  async #existing(read: ReadState): Promise<RunState | undefined> {
    const state = stateOf(read);
    const { key } = state;
    const id = state.run.executionId;
    if (key !== undefined && !key.isOwn) {
      if (!this.#known.has(id) && (await this.lists.owner(key.digest)) !== id) return undefined;
      this.#remember(id);
    }
    await this.#bear(state, false);
    return key === undefined ? state : { ...state, key: { ...key, isOwn: true } };
  }

  async #bear({ run, order, birth }: RunState, isNew: boolean): Promise<void> {
    if (birth === undefined) return;
    const child = await readPiece(this.parts, run.executionId, birth);
    const id = child.run.executionId;
    if (this.#known.has(id)) return;
    const isThere = !isNew && (await this.load(id)) !== undefined;
    if (!isThere) await this.create(child, order);
    this.#remember(id);
  }

  /** The id is taken: by a run, or by what a creation left that never got its key. */
  async #taken(newRun: NewRun): ReturnType<Runs['create']> {
    const id = newRun.run.executionId;
    const first = await this.load(id);
    if (first === undefined) {
      await this.#states.remove(id);
      return this.create(newRun);
    }
    // The entry just made, or one that a crash has left: it is not a running run's.
    if (isFinished(first.run)) await this.lists.end(first);
    return { created: false, run: first.run };
  }

  /** Somebody else has claimed the key meanwhile. */
  async #outrun(newRun: NewRun, digest: string): ReturnType<Runs['create']> {
    const id = newRun.run.executionId;
    await this.#states.remove(id);
    await this.lists.removeRunning(id);
    const first = await this.#ownerOf(digest);
    if (first !== undefined) return { created: false, run: first.run };
    // Its owner was forgotten before it could let go of the key.
    await this.lists.disclaim(digest);
    return this.create(newRun);
  }

  async #ownerOf(digest: string): Promise<RunState | undefined> {
    const id = await this.lists.owner(digest);
    return id && this.load(id);
  }

  #remember(id: ExecutionId): void {
    this.#known.add(id);
    for (const oldest of this.#known) {
      if (this.#known.size <= MOST_KNOWN) break;
      this.#known.delete(oldest);
    }
  }
}
