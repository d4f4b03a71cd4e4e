/**
 * Storing playbooks: checked whole before they are kept, kept exactly as submitted. Drafts, which lack only
 * what a site has to fill in, are kept when the caller asks for that; nothing executes them.
 */

import { type PlaybookId, parsePlaybookId } from '../cacao/ids.ts';
import type { Playbook } from '../cacao/playbook.ts';
import { isDraft, unboundParts } from '../cacao/validation/unbound.ts';
import type { Finding } from '../errors/finding.ts';
import { Refusal } from '../errors/refusal.ts';
import type { PlaybookCheck } from '../execution/playbook-check.ts';
import type { JsonObject } from '../json.ts';
import type { SecurityLog } from '../ports/log.ts';
import type { PlaybookStore } from '../ports/playbook-store.ts';

export type PlaybookKeeping = {
  readonly playbooks: PlaybookStore;
  readonly check: PlaybookCheck;
  readonly securityLog: SecurityLog;
  /** Whether drafts are kept too; otherwise they are refused like any invalid playbook. */
  readonly drafts?: boolean;
};

/** Refuses with `playbook-invalid` or `playbook-exists`. */
export async function addPlaybook(
  keeping: PlaybookKeeping,
  document: JsonObject,
  caller: string | undefined,
): Promise<JsonObject> {
  const id = storableId(keeping, document);
  const added = await keeping.playbooks.add(id, document);
  if (!added.ok) throw new Refusal('playbook-exists', id);
  keeping.securityLog.record('playbook_created', { playbookId: id, caller });
  return document;
}

/** Refuses with `playbook-invalid`, `playbook-id-mismatch` or `playbook-missing`. */
export async function replacePlaybook(
  keeping: PlaybookKeeping,
  id: PlaybookId,
  document: JsonObject,
  caller: string | undefined,
): Promise<JsonObject> {
  const ownId = storableId(keeping, document);
  if (ownId !== id) throw new Refusal('playbook-id-mismatch', ownId, id);
  const replaced = await keeping.playbooks.replace(id, document);
  if (!replaced.ok) throw new Refusal('playbook-missing', id);
  keeping.securityLog.record('playbook_updated', { playbookId: id, caller });
  return document;
}

/** Refuses with `playbook-missing`. */
export async function removePlaybook(
  keeping: Pick<PlaybookKeeping, 'playbooks' | 'securityLog'>,
  id: PlaybookId,
  caller: string | undefined,
): Promise<void> {
  const removed = await keeping.playbooks.remove(id);
  if (!removed.ok) throw new Refusal('playbook-missing', id);
  keeping.securityLog.record('playbook_deleted', { playbookId: id, caller });
}

/** For execution. Refuses with `playbook-draft` or `playbook-invalid`, which carry all findings. */
export function validPlaybook(check: PlaybookCheck, document: unknown): Playbook {
  const checked = check(document);
  if (checked.ok) return checked.playbook;
  const { findings } = checked;
  if (!isDraft(findings)) throw invalid(findings);
  throw new Refusal('playbook-draft', summary(unboundParts(findings))).with({ findings });
}

/** The id under which a document may be stored. Refuses with `playbook-invalid`. */
function storableId({ check, drafts = false }: PlaybookKeeping, document: JsonObject): PlaybookId {
  const checked = check(document);
  if (checked.ok) return checked.playbook.id;
  const id = parsePlaybookId(String(document['id']));
  if (!drafts || id === undefined || !isDraft(checked.findings)) throw invalid(checked.findings);
  return id;
}

function invalid(findings: readonly Finding[]): Refusal {
  const errors = findings.filter(({ severity }) => severity === 'error');
  return new Refusal('playbook-invalid', summary(errors)).with({ findings });
}

const SHOWN = 20;

function summary(findings: readonly Finding[]): string {
  const shown = findings
    .slice(0, SHOWN)
    .map(({ pointer, message }) => `${pointer || '/'}: ${message}`);
  const rest = findings.length - shown.length;
  return [...shown, ...(rest > 0 ? [`and ${rest} more.`] : [])].join(' ');
}
