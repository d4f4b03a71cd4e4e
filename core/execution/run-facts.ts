/** What a reporter may know of an execution, with its secrets hidden. */

import type { RunFacts } from '../ports/run-facts.ts';
import { type ExecutionId, mainWalk } from './ids.ts';
import { redactorOf, redactVariables } from './redaction.ts';
import type { Workbench } from './workbench.ts';

export async function runFacts(
  { stores, pinned }: Pick<Workbench, 'stores' | 'pinned'>,
  id: ExecutionId,
): Promise<RunFacts | undefined> {
  const open = await stores.journal.open(id, mainWalk);
  const run = open && (await pinned.get(id));
  if (open === undefined || run === undefined) return undefined;
  const redact = redactorOf(run.secrets, open.variables);
  return { playbook: run.playbook, variables: redactVariables(open.variables, redact), redact };
}
