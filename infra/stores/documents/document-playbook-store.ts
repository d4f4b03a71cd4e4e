/** Keeps playbooks in one partition, so that listing them is one request; large ones in parts of their own. */

import type { PlaybookId } from '../../../core/cacao/ids.ts';
import { done, type Result, refused } from '../../../core/errors/result.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { PlaybookMeta, PlaybookStore } from '../../../core/ports/playbook-store.ts';
import { playbookMeta } from '../playbook-meta.ts';
import { storeAway } from '../store-away.ts';
import type { Document, DocumentTable, StoredDocument } from './document-table.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { Draft, type Piece, readPiece, whole } from './pieces.ts';
import type { Stamps } from './stamps.ts';

const PLAYBOOKS = 'playbooks';
const INLINE_PLAYBOOK = 200_000;
const MOST_TRIES = 100;

export class DocumentPlaybookStore implements PlaybookStore {
  readonly #table: DocumentTable;
  readonly #stamps: Stamps;
  readonly #turns = new OneAtATime();

  constructor(table: DocumentTable, stamps: Stamps) {
    this.#table = table;
    this.#stamps = stamps;
  }

  get(id: PlaybookId): Promise<JsonObject | undefined> {
    return whole(async () => {
      const found = await this.#table.find(PLAYBOOKS, id);
      return found && this.#documentOf(found);
    });
  }

  async add(id: PlaybookId, document: JsonObject): Promise<Result<void, 'playbook-exists'>> {
    const draft = new Draft(this.#table, id);
    const entry = entryOf(id, document, this.#stamps.next(), draft);
    await draft.write();
    if ((await this.#table.insert(entry)) !== undefined) return done;
    await draft.undo();
    return refused('playbook-exists');
  }

  /** The last of several at once wins. */
  replace(id: PlaybookId, document: JsonObject): Promise<Result<void, 'playbook-missing'>> {
    const draft = new Draft(this.#table, id);
    const next = entryOf(id, document, '', draft);
    return this.#turns.run(id, async () => {
      await draft.write();
      for (let tries = 0; tries < MOST_TRIES; tries += 1) {
        const before = await this.#table.find(PLAYBOOKS, id);
        if (before === undefined) {
          await draft.undo();
          return refused('playbook-missing');
        }
        const { order = '' } = before;
        if ((await this.#table.replace({ ...next, order }, before.version)) === undefined) continue;
        draft.drop(pieceOf(before));
        await draft.tidy().catch(() => {});
        return done;
      }
      throw storeAway(`The playbook ${id} is changed by too many at once.`);
    });
  }

  async remove(id: PlaybookId): Promise<Result<void, 'playbook-missing'>> {
    const before = await this.#table.find(PLAYBOOKS, id);
    if (before === undefined || !(await this.#table.remove(PLAYBOOKS, id))) {
      return refused('playbook-missing');
    }
    const draft = new Draft(this.#table, id);
    draft.drop(pieceOf(before));
    await draft.tidy().catch(() => {});
    return done;
  }

  list(): Promise<readonly JsonObject[]> {
    return whole(async () => {
      const found = await this.#table.query(PLAYBOOKS);
      return Promise.all(found.map((entry) => this.#documentOf(entry)));
    });
  }

  async listMeta(): Promise<readonly PlaybookMeta[]> {
    const found = await this.#table.query(PLAYBOOKS, { only: 'views' });
    return found.map(({ view = '' }) => JSON.parse(view));
  }

  #documentOf(found: StoredDocument): Promise<JsonObject> {
    return readPiece(this.#table, found.id, pieceOf(found));
  }
}

function entryOf(id: PlaybookId, document: JsonObject, order: string, draft: Draft): Document {
  const view = JSON.stringify(playbookMeta(id, document));
  const text = JSON.stringify(draft.keep(document, INLINE_PLAYBOOK));
  return { partition: PLAYBOOKS, id, order, view, text };
}

function pieceOf({ text }: StoredDocument): Piece<JsonObject> {
  return JSON.parse(text);
}
