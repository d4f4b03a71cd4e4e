/** Collects findings while the checks run: no finding twice. */

import type { Finding } from '../../errors/finding.ts';
import type { Path } from './draft.ts';
import { type RuleId, validationRules } from './rules.ts';

export type PlacedFinding = Finding & { readonly path: Path };

export type Report = (rule: RuleId, path: Path, message: string) => void;

export type Findings = {
  readonly report: Report;
  /** Takes over what was found in a document that is held at this place. */
  readonly adopt: (finding: Finding, at: Path) => void;
  readonly all: () => readonly PlacedFinding[];
};

export function collectFindings(): Findings {
  const found = new Map<string, PlacedFinding>();
  const add = (finding: PlacedFinding) => {
    const key = `${finding.rule}\n${finding.pointer}\n${finding.message}`;
    if (!found.has(key)) found.set(key, finding);
  };
  return {
    report: (rule, path, message) => {
      const { severity } = validationRules[rule];
      add({ rule, severity, pointer: toPointer(path), message, path });
    },
    adopt: (finding, at) => {
      add({ ...finding, pointer: `${toPointer(at)}${finding.pointer}`, path: at });
    },
    all: () => [...found.values()],
  };
}

/** RFC 6901. */
export function toPointer(path: Path): string {
  return path
    .map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
