/** What a step sees and what the report shows of it. */

import { definitionOf } from '../cacao/definitions.ts';
import type { StepId } from '../cacao/ids.ts';
import type { Playbook, Variables, WorkflowStep } from '../cacao/playbook.ts';
import { stepScope } from '../cacao/variables.ts';
import type { Redact } from './redaction.ts';
import { redactVariables } from './redaction.ts';

/** What a step sees: its own variables and those of the steps around it win. `scope` ends with the step. */
export function visibleVariables(
  playbook: Playbook,
  scope: readonly StepId[],
  variables: Variables,
): Variables {
  return scope.reduce((seen, id) => {
    const step = stepOf(playbook, id);
    return step === undefined ? seen : stepScope(seen, step);
  }, variables);
}

export function stepOf(playbook: Playbook, id: StepId): WorkflowStep | undefined {
  return definitionOf(playbook.workflow, id);
}

/** Values a step inherits are shown up to this many characters in all; its own results always whole. */
const INHERITED_LIMIT = 16_384;

/**
 * The variables of a step result. A playbook with large variables would otherwise be stored again with
 * every step, so inherited values beyond the limit are left out, largest first.
 */
export function reportedVariables(
  visible: Variables,
  returned: Variables,
  redact: Redact,
): Variables {
  const inherited = Object.entries(visible);
  let size = 0;
  const large = new Set(
    inherited
      .toSorted(([, a], [, b]) => sizeOf(a) - sizeOf(b))
      .flatMap(([name, variable]) => {
        size += sizeOf(variable);
        return size > INHERITED_LIMIT ? [name] : [];
      }),
  );
  const small = inherited.filter(([name]) => !large.has(name));
  return redactVariables({ ...Object.fromEntries(small), ...returned }, redact);
}

function sizeOf(variable: Variables[string]): number {
  return variable.value?.length ?? 0;
}
