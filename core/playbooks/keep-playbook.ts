/** Storing playbooks: checked whole before they are kept, kept exactly as submitted. */

import type { PlaybookId } from '../cacao/ids.ts';
import type { Playbook } from '../cacao/playbook.ts';
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
};

/** Refuses with `playbook-invalid` or `playbook-exists`. */
export async function addPlaybook(
  keeping: PlaybookKeeping,
  document: JsonObject,
  caller: string | undefined,
): Promise<JsonObject> {
  const { id } = validPlaybook(keeping.check, document);
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
  const playbook = validPlaybook(keeping.check, document);
  if (playbook.id !== id) throw new Refusal('playbook-id-mismatch', playbook.id, id);
  const replaced = await keeping.playbooks.replace(id, document);
  if (!replaced.ok) throw new Refusal('playbook-missing', id);
  keeping.securityLog.record('playbook_updated', { playbookId: id, caller });
  return document;
}

/** Refuses with `playbook-missing`. */
export async function removePlaybook(
  keeping: Omit<PlaybookKeeping, 'check'>,
  id: PlaybookId,
  caller: string | undefined,
): Promise<void> {
  const removed = await keeping.playbooks.remove(id);
  if (!removed.ok) throw new Refusal('playbook-missing', id);
  keeping.securityLog.record('playbook_deleted', { playbookId: id, caller });
}

/** Refuses with `playbook-invalid`, which carries all findings and names the first in its sentence. */
export function validPlaybook(check: PlaybookCheck, document: unknown): Playbook {
  const checked = check(document);
  if (checked.ok) return checked.playbook;
  const errors = checked.findings.filter(({ severity }) => severity === 'error');
  throw new Refusal('playbook-invalid', summary(errors)).with({ findings: checked.findings });
}

const SHOWN = 20;

function summary(errors: readonly Finding[]): string {
  const shown = errors
    .slice(0, SHOWN)
    .map(({ pointer, message }) => `${pointer || '/'}: ${message}`);
  const rest = errors.length - shown.length;
  return [...shown, ...(rest > 0 ? [`and ${rest} more.`] : [])].join(' ');
}
