/** Conditions: one that cannot be read fails its step, so its author hears of it beforehand. */

import { type Condition, parseCondition } from '../condition.ts';
import { possibleNames } from '../interpolate.ts';
import { type Draft, type DraftStep, isJsonObject, memberOf, textOf } from './draft.ts';
import type { Report } from './report.ts';

export function checkConditions(draft: Draft, report: Report): void {
  for (const step of draft.steps.values()) {
    if (step.type !== 'if-condition' && step.type !== 'while-condition') continue;
    const text = textOf(step.json['condition']);
    if (text === undefined) continue;
    const path = [...step.path, 'condition'];
    const condition = parseCondition(text);
    if (condition.kind === 'condition-error') {
      report('condition', path, `Step ${step.id} will fail: ${condition.reason}`);
    } else if (comparesNumberAsText(draft, step, condition)) {
      const message = `Step ${step.id} compares a number with a variable declared as string, so 10 is less than 9.`;
      report('text-comparison', path, message);
    }
  }
}

function comparesNumberAsText(draft: Draft, step: DraftStep, condition: Condition): boolean {
  const { left, operator, right } = condition;
  if (operator === '=' || operator === '!=' || operator === 'IN') return false;
  const number = /^[+-]?\d+(\.\d+)?$/;
  if (!number.test(left) && !number.test(right)) return false;
  const name = [...possibleNames(left), ...possibleNames(right)].flat()[0];
  return name !== undefined && declaredType(draft, step, name) === 'string';
}

function declaredType({ root }: Draft, step: DraftStep, name: string): string | undefined {
  const variable =
    memberOf(step.json['step_variables'], name) ?? memberOf(root['playbook_variables'], name);
  return isJsonObject(variable) ? textOf(variable['type']) : undefined;
}
