/** Results. Authors of fins write states and variables themselves, so most is taken as it comes. */

import { isVariableName } from '../../../core/cacao/variables.ts';
import type { FinResult, Work } from '../../../core/fins/message.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts';
import { anyTextIn, memberOf, objectIn, textIn } from './members.ts';
import { decodeTimestamp } from './timestamp.ts';

/** `succes` is how the protocol's own documents spell it in one place. */
const successes: ReadonlySet<string> = new Set(['success', 'succes']);

export function decodeResult(json: JsonObject, messageId: string): FinResult {
  const result = objectIn(json, 'result');
  const state = anyTextIn(result, 'state');
  return {
    type: 'result',
    messageId,
    work: decodeWork(result),
    success: successes.has(state.trim().toLowerCase()),
    state,
    values: valuesOf(memberOf(result, 'variables')),
  };
}

/** Whose command this is, or whose result: without it a message cannot be told from others. */
export function decodeWork(body: JsonObject): Work {
  const context = objectIn(body, 'context');
  return {
    executionId: textIn(context, 'execution_id'),
    stepId: textIn(context, 'step_id'),
    generatedUs: decodeTimestamp(anyTextIn(context, 'generated_on')),
  };
}

function valuesOf(variables: JsonValue | undefined): { readonly [name: string]: string } {
  if (!isJsonObject(variables)) return {};
  return Object.fromEntries(
    Object.entries(variables).flatMap(([key, variable]) => {
      const value = isJsonObject(variable) ? memberOf(variable, 'value') : undefined;
      return value === undefined ? [] : [[nameOf(key, variable), textOf(value)]];
    }),
  );
}

/** Keys are arbitrary; the inner name counts where it can name a variable. */
function nameOf(key: string, variable: JsonValue | undefined): string {
  const name = isJsonObject(variable) ? anyTextIn(variable, 'name') : '';
  return isVariableName(name) ? name : key;
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
