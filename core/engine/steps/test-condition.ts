import { parseCondition } from '../../cacao/condition.ts';
import { evaluateCondition } from '../../cacao/evaluate-condition.ts';
import type { StepFailure } from '../effects.ts';
import type { Walk } from '../walk.ts';

export type Verdict =
  | { readonly value: boolean }
  | { readonly value?: undefined; readonly failure: StepFailure };

/** Evaluates the condition of the step under the cursor; one that cannot be evaluated fails the step. */
export function testCondition(walk: Walk, text: string): Verdict {
  const condition = parseCondition(text);
  if (condition.kind === 'condition-error') return broken(condition.reason);
  const variables = walk.variables();
  const verdict = evaluateCondition(condition, (name) =>
    Object.hasOwn(variables, name) ? variables[name] : undefined,
  );
  if (verdict.ok) return { value: verdict.value };
  return broken(`The condition ${JSON.stringify(text)} cannot be evaluated: ${verdict.reason}`);
}

function broken(error: string): Verdict {
  return { failure: { status: 'client_side_error', error } };
}
