/**
 * The states of runs as documents, read and changed one version at a time. A state that is too long for a
 * document stands in parts, and its document lists them.
 */

import type { ExecutionId } from '../../../core/execution/ids.ts';
import type { DocumentTable, StoredDocument } from './document-table.ts';
import { type Draft, readText, whole } from './pieces.ts';
import { type RunState, type RunView, viewOf } from './run-state.ts';
import type { Flush } from './step-segments.ts';

export type ReadState = {
  /** As text, so that nobody can change what others read. */
  readonly text: string;
  readonly parts: readonly string[];
  readonly version: string;
};

const STATE_ID = 'run';
const INLINE_STATE = 400_000;
/** A longer view is not kept; whoever wants it reads the state. */
const INLINE_VIEW = 100_000;
/** How much is remembered of states, so that a change need not read them first. */
const REMEMBERED_CHARACTERS = 32_000_000;

export class StateDocuments {
  readonly #executions: DocumentTable;
  readonly #parts: DocumentTable;
  readonly #known = new Map<ExecutionId, ReadState>();
  #characters = 0;

  constructor(executions: DocumentTable, parts: DocumentTable) {
    this.#executions = executions;
    this.#parts = parts;
  }

  /** What this process read or wrote last; somebody else may have changed it meanwhile. */
  recall(id: ExecutionId): ReadState | undefined {
    return this.#known.get(id);
  }

  forget(id: ExecutionId): void {
    this.#characters -= this.#known.get(id)?.text.length ?? 0;
    this.#known.delete(id);
  }

  read(id: ExecutionId): Promise<ReadState | undefined> {
    return whole(async () => {
      const document = await this.#executions.find(id, STATE_ID);
      this.forget(id);
      return document && this.#remember(id, await this.#readFrom(document));
    });
  }

  /** In any order; those that do not exist are left out. */
  readAll(ids: readonly ExecutionId[]): Promise<readonly ReadState[]> {
    return whole(async () => {
      const documents = await this.#executions.findAll(ids.map(keyOf));
      return Promise.all(documents.map((document) => this.#readFrom(document)));
    });
  }

  /** By execution; a view that was too long to be kept is undefined. */
  async views(
    ids: readonly ExecutionId[],
  ): Promise<ReadonlyMap<string, { readonly view: RunView | undefined }>> {
    const documents = await this.#executions.findAll(ids.map(keyOf), 'views');
    return new Map(
      documents.map(({ partition, view }) => [
        partition,
        { view: view === undefined ? undefined : JSON.parse(view) },
      ]),
    );
  }

  /** Writes what the draft holds first. False, and nothing is left of it, when there is such a run. */
  async insert(state: RunState, draft: Draft): Promise<boolean> {
    return this.#write(state, draft, (document) => this.#executions.insert(document));
  }

  /** The same; false when the run is not what was read any more. */
  async replace(
    read: ReadState,
    state: RunState,
    draft: Draft,
    { segments, outdated, before }: Flush & { readonly before?: (() => Promise<void>) | undefined },
  ): Promise<boolean> {
    const isWritten = await this.#write(state, draft, async (document) => {
      // One that is there already is the same.
      for (const segment of segments) await this.#parts.insert(segment);
      await before?.();
      return this.#executions.replace(document, read.version);
    });
    if (!isWritten) return false;
    draft.drop({ parts: [...read.parts, ...outdated] });
    // What cannot be removed now is in nobody's way, and goes with the run.
    await draft.tidy().catch(() => {});
    return true;
  }

  async remove(id: ExecutionId): Promise<void> {
    this.forget(id);
    await this.#executions.remove(id, STATE_ID);
    await this.#parts.removePartition(id);
  }

  async #write(
    state: RunState,
    draft: Draft,
    send: (document: Parameters<DocumentTable['insert']>[0]) => Promise<string | undefined>,
  ): Promise<boolean> {
    const id = state.run.executionId;
    const text = JSON.stringify(state);
    const view = JSON.stringify(viewOf(state));
    const parts = text.length > INLINE_STATE ? draft.cut(text) : [];
    this.forget(id);
    await draft.write();
    const version = await send({
      ...keyOf(id),
      text: parts.length === 0 ? text : JSON.stringify(parts),
      ...(view.length > INLINE_VIEW ? {} : { view }),
    });
    if (version === undefined) await draft.undo();
    else this.#remember(id, { text, parts, version });
    return version !== undefined;
  }

  async #readFrom({ partition, text, version }: StoredDocument): Promise<ReadState> {
    if (!text.startsWith('[')) return { text, parts: [], version };
    const parts: readonly string[] = JSON.parse(text);
    return { text: await readText(this.#parts, partition, parts), parts, version };
  }

  #remember(id: ExecutionId, state: ReadState): ReadState {
    this.#known.set(id, state);
    this.#characters += state.text.length;
    for (const oldest of this.#known.keys()) {
      if (this.#characters <= REMEMBERED_CHARACTERS) break;
      this.forget(oldest);
    }
    return state;
  }
}

export function stateOf({ text }: ReadState): RunState {
  return JSON.parse(text);
}

function keyOf(id: ExecutionId) {
  return { partition: id, id: STATE_ID };
}
