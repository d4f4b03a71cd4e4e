import { evaluateCondition, parseCondition } from '../../cacao/condition.ts';
import type { StepFailure } from '../effects.ts';
import type { Walk } from '../walk.ts';

export type Verdict =
  | { readonly value: boolean }
  | { readonly value?: undefined; readonly failure: StepFailure };

/** Evaluates the condition of the step under the cursor; one that cannot be evaluated fails the step. */
export function testCondition(walk: Walk, text: string): Verdict {
  const parsed = parseCondition(text);
  if (!parsed.ok) return broken(text, parsed.reason);
  const variables = walk.variables();
  const verdict = evaluateCondition(parsed.condition, (name) =>
    Object.hasOwn(variables, name) ? variables[name] : undefined,
  );
  return verdict.ok ? { value: verdict.value } : broken(text, verdict.reason);
}

function broken(text: string, reason: string): Verdict {
  const error = `The condition ${JSON.stringify(text)} cannot be evaluated: ${reason}`;
  return { failure: { status: 'client_side_error', error } };
}
