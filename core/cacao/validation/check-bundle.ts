/**
 * STIX bundles: playbooks are shared as the base64 of their JSON in `playbook_bin`, somewhere inside the
 * bundle's objects. The bundle itself cannot be stored; what is wrong with each playbook in it is told with
 * pointers that lead through `playbook_bin` into the playbook.
 */

import type { Finding } from '../../errors/finding.ts';
import { parseJsonText } from '../parse-json-text.ts';
import { isJsonObject, type Json, membersOf, type Path, type Placed } from './draft.ts';
import { type Findings, toPointer } from './report.ts';

export function isBundle(json: Json): boolean {
  return json['type'] === 'bundle' && Array.isArray(json['objects']);
}

/** `check` validates one playbook. */
export function checkBundle(
  bundle: Json,
  check: (playbook: unknown) => readonly Finding[],
  { report, adopt }: Findings,
): void {
  const embedded = playbooksIn(bundle['objects'], ['objects']);
  const count = embedded.length === 1 ? 'one playbook' : `${embedded.length} playbooks`;
  report(
    'bundle',
    [],
    `The document is a STIX bundle with ${count} inside; give each playbook by itself.`,
  );
  for (const { value, path } of embedded) {
    const playbook = decoded(value);
    if (playbook === undefined) {
      const message = `The playbook_bin at ${toPointer(path)} is not the base64 of a JSON object.`;
      report('embedded-playbook', path, message);
      continue;
    }
    for (const finding of check(playbook)) adopt(finding, path);
  }
}

function playbooksIn(value: unknown, path: Path): readonly Placed<string>[] {
  const entries = Array.isArray(value) ? [...value.entries()] : membersOf(value);
  return entries.flatMap(([key, member]) => {
    const at = [...path, key];
    if (key === 'playbook_bin' && typeof member === 'string') return [{ value: member, path: at }];
    return playbooksIn(member, at);
  });
}

function decoded(base64: string): Json | undefined {
  const compact = base64.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) return undefined;
  const parsed = parseJsonText(Buffer.from(compact, 'base64').toString('utf8'));
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined;
}
