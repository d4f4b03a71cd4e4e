/**
 * What exists, for lists: one small document per run, and one per question. The state of a run is the
 * truth; a list entry is written before the state that needs it and removed afterwards, so a crash in
 * between leaves an entry too many, never one too few. Readers look each of those up.
 */

import { createHash } from 'node:crypto';
import type { PlaybookId } from '../../../core/cacao/ids.ts';
import type { ExecutionId, WalkId } from '../../../core/execution/ids.ts';
import type { DocumentQuery, DocumentTable, StoredDocument } from './document-table.ts';
import { type RunState, type RunView, viewOf } from './run-state.ts';

export type ListedRun = {
  readonly id: ExecutionId;
  readonly order: string;
  /** Of finished runs, unless it was too long to be kept. */
  readonly view: RunView | undefined;
};

export type ListedQuestion = {
  readonly executionId: ExecutionId;
  readonly walkId: WalkId;
  readonly turn: number;
};

export type RunRange = Pick<DocumentQuery, 'from' | 'descending' | 'limit'> & {
  readonly playbookId?: PlaybookId | undefined;
};

const RUNNING = 'running';
const FINISHED = 'finished';
const QUESTIONS = 'questions';
const INLINE_VIEW = 100_000;
/** Ids are limited to 255 characters (Cosmos DB); those of deeply nested walks are longer. */
const LONGEST_WALK = 100;

export class RunLists {
  readonly #table: DocumentTable;

  constructor(table: DocumentTable) {
    this.#table = table;
  }

  /** Keeps the entry there is. */
  async begin(id: ExecutionId, order: string): Promise<void> {
    await this.#table.insert({ partition: RUNNING, id, order, text: '' });
  }

  async end(state: RunState): Promise<void> {
    const { executionId: id, playbookId: subject } = state.run;
    const view = JSON.stringify(viewOf(state));
    const shown = view.length > INLINE_VIEW ? {} : { view };
    const { order } = state;
    await this.#table.put({ partition: FINISHED, id, order, subject, text: '', ...shown });
    await this.removeRunning(id);
  }

  async removeRunning(id: ExecutionId): Promise<void> {
    await this.#table.remove(RUNNING, id);
  }

  async removeFinished(id: ExecutionId): Promise<void> {
    await this.#table.remove(FINISHED, id);
  }

  /** Those that have ended a moment ago among them. */
  async running(): Promise<readonly ListedRun[]> {
    return (await this.#table.query(RUNNING)).map(listedRun);
  }

  async finished({ playbookId, ...range }: RunRange): Promise<readonly ListedRun[]> {
    const subject = playbookId === undefined ? {} : { subject: playbookId };
    return (await this.#table.query(FINISHED, { ...range, ...subject })).map(listedRun);
  }

  async count(): Promise<number> {
    const [running, finished] = await Promise.all([
      this.#table.count(RUNNING),
      this.#table.count(FINISHED),
    ]);
    return running + finished;
  }

  /** An entry that is there already is as good. */
  async ask({ executionId, walkId, turn }: ListedQuestion, stamp: string): Promise<void> {
    const question = { executionId, walkId, turn };
    const text = JSON.stringify(question);
    const id = questionId(question);
    await this.#table.insert({ partition: QUESTIONS, id, order: stamp, text });
  }

  async removeQuestion(question: ListedQuestion): Promise<void> {
    await this.#table.remove(QUESTIONS, questionId(question));
  }

  async questions(): Promise<readonly (ListedQuestion & { readonly stamp: string })[]> {
    const found = await this.#table.query(QUESTIONS);
    return found.map(({ text, order }) => ({ ...JSON.parse(text), stamp: order }));
  }

  /** Whose idempotency key this is. */
  async owner(digest: string): Promise<ExecutionId | undefined> {
    const key = await this.#table.find(keyPartition(digest), digest);
    return key && JSON.parse(key.text);
  }

  /** Whether the key is this run's now; it is whoever's who claims it first. */
  async claim(digest: string, id: ExecutionId): Promise<boolean> {
    const text = JSON.stringify(id);
    const key = { partition: keyPartition(digest), id: digest, text };
    return (await this.#table.insert(key)) !== undefined;
  }

  async disclaim(digest: string): Promise<void> {
    await this.#table.remove(keyPartition(digest), digest);
  }
}

/** Keys are any text; ids are not. */
export function digestOf(idempotencyKey: string): string {
  return createHash('sha256').update(idempotencyKey).digest('hex');
}

/** Every key has a partition of its own, or all triggers would meet in one. */
function keyPartition(digest: string): string {
  return `key-${digest}`;
}

function questionId({ executionId, walkId, turn }: ListedQuestion): string {
  const walk = walkId.length <= LONGEST_WALK ? walkId : digestOf(walkId);
  return `${executionId}.${walk}.${turn}`;
}

function listedRun({ id, order = '', view }: StoredDocument): ListedRun {
  return {
    id: id as ExecutionId,
    order,
    view: view === undefined ? undefined : JSON.parse(view),
  };
}
