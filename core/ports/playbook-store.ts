import type { PlaybookId } from '../cacao/ids.ts';
import type { Result } from '../errors/result.ts';
import type { JsonObject } from '../json.ts';

/** The list view of a playbook (spec, Playbook metadata). Absent members were absent in the document. */
export type PlaybookMeta = {
  readonly id: PlaybookId;
  readonly name: string;
  readonly description: string;
  readonly created?: string;
  readonly validFrom?: string;
  readonly validUntil?: string;
  readonly labels: readonly string[];
};

/**
 * Keeps playbooks exactly as submitted: `get` returns a document deeply equal to the one given, and
 * nobody can change a stored one through it. Adapters pass `tests/contracts/playbook-store.contract.ts`.
 */
export interface PlaybookStore {
  get(id: PlaybookId): Promise<JsonObject | undefined>;
  /** Refuses with `playbook-exists` instead of overwriting, also under concurrent calls. */
  add(id: PlaybookId, document: JsonObject): Promise<Result<void, 'playbook-exists'>>;
  /** Keeps the place in the creation order. */
  replace(id: PlaybookId, document: JsonObject): Promise<Result<void, 'playbook-missing'>>;
  remove(id: PlaybookId): Promise<Result<void, 'playbook-missing'>>;
  /** All documents in creation order. */
  list(): Promise<readonly JsonObject[]>;
  /** The same order, from a projection: never loads whole documents. */
  listMeta(): Promise<readonly PlaybookMeta[]>;
}
