import type { Playbook } from '../cacao/playbook.ts';
import type { Finding } from '../errors/finding.ts';

/** A document is a playbook that can be executed, or there are reasons (errors among the findings) why not. */
export type Checked =
  | { readonly ok: true; readonly playbook: Playbook; readonly findings: readonly Finding[] }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** Schema, references and flow; the same check before storing, before triggering and for children. */
export type PlaybookCheck = (document: unknown) => Checked;
