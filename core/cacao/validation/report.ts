/** Collects findings while the checks run: no finding twice. */

import type { Finding } from '../../errors/finding.ts';
import type { Path } from './draft.ts';
import { type RuleId, validationRules } from './rules.ts';

export type PlacedFinding = Finding & { readonly path: Path };

export type Report = (rule: RuleId, path: Path, message: string) => void;

export type Findings = { readonly report: Report; readonly all: () => readonly PlacedFinding[] };

export function collectFindings(): Findings {
  const found = new Map<string, PlacedFinding>();
  return {
    report: (rule, path, message) => {
      const pointer = toPointer(path);
      const key = `${rule}\n${pointer}\n${message}`;
      const { severity } = validationRules[rule];
      if (!found.has(key)) found.set(key, { rule, severity, pointer, message, path });
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
