/** Dry run of a playbook with scripted answers; nothing is stored, performed or asked. */

import { argumentNames } from '../../cacao/arguments.ts';
import { type StepId, stepIdOfKey } from '../../cacao/ids.ts';
import { type DryRun, dryRun, type Script, type ScriptedAnswer } from '../../engine/dry-run.ts';
import type { FailureStatus } from '../../engine/effects.ts';
import { Refusal } from '../../errors/refusal.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { validPlaybook } from '../../playbooks/keep-playbook.ts';
import { pin } from '../pinned.ts';
import { stepOf } from '../scope.ts';
import type { Workbench } from '../workbench.ts';
import { triggeredVariables, valueText } from './trigger-variables.ts';

/** Refuses with `playbook-invalid`, the `variable-...` codes and `script-invalid`. */
export function dryRunPlaybook(
  bench: Workbench,
  document: JsonObject,
  variables: JsonObject,
  answers: JsonObject,
): DryRun {
  const playbook = validPlaybook(bench.check, document);
  const { plan } = pin(playbook, 'sequential', bench.capabilities);
  const script: Script = Object.fromEntries(
    Object.entries(answers).map(([step, list]) => {
      if (stepOf(playbook, stepIdOfKey(step)) === undefined)
        throw new Refusal('step-missing', step);
      return [step, readAnswers(step, list)];
    }),
  );
  const outArgs = (id: StepId) => {
    const step = stepOf(playbook, id);
    return step !== undefined && 'out_args' in step ? argumentNames(step.out_args) : [];
  };
  return dryRun(plan, triggeredVariables(playbook, variables), script, outArgs);
}

function readAnswers(step: string, list: JsonValue): readonly ScriptedAnswer[] {
  const answers = Array.isArray(list) ? list : [list];
  return answers.map((answer: JsonValue) => readAnswer(step, answer));
}

const failures: ReadonlySet<string> = new Set<FailureStatus>([
  'failed',
  'server_side_error',
  'client_side_error',
  'timeout_error',
]);

function isFailure(status: string): status is FailureStatus {
  return failures.has(status);
}

function readAnswer(step: string, answer: JsonValue): ScriptedAnswer {
  if (!isJsonObject(answer))
    throw new Refusal('script-invalid', `an answer of ${step} is no object`);
  const { status = 'successfully_executed', error = 'as scripted', variables = {} } = answer;
  if (typeof status !== 'string' || typeof error !== 'string' || !isJsonObject(variables)) {
    throw new Refusal('script-invalid', `an answer of ${step} has members of another type`);
  }
  const values = Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, scriptedValue(step, name, value)]),
  );
  if (status === 'successfully_executed') return { values };
  if (isFailure(status)) return { values, failure: { status, error } };
  throw new Refusal('script-invalid', `${status} is no status a step can end with`);
}

/** Either the value itself or a variable object. */
function scriptedValue(step: string, name: string, value: JsonValue): string {
  const text = valueText(isJsonObject(value) ? value['value'] : value, 'string');
  if (text === undefined) {
    throw new Refusal('script-invalid', `the value of ${name} in an answer of ${step} is no text`);
  }
  return text;
}
