/**
 * Variables and their scope (spec, Execution rules 9-12). A variable is identified by its key in the map,
 * never by its inner `name`. All functions copy; nobody's map is changed.
 */

import type { Lookup } from './interpolate.ts';
import type { Variable, Variables, WorkflowStep } from './model.ts';
import { variableNamePattern } from './schema/variable-name.ts';

/** Values by variable name: what a capability or an operator hands back. */
export type OutputValues = { readonly [name: string]: string };

const variableName = new RegExp(variableNamePattern, 'u');

/** Whether a name may be declared: `__name__`, at most 204 characters. */
export function isVariableName(name: string): boolean {
  return variableName.test(name);
}

/** The variable's own entry; names inherited from the language, such as `constructor`, are not variables. */
export function variableIn(variables: Variables, name: string): Variable | undefined {
  return Object.hasOwn(variables, name) ? variables[name] : undefined;
}

/** For `interpolate`: a variable without value has the empty text. */
export function lookupIn(variables: Variables): Lookup {
  return (name) => {
    const variable = variableIn(variables, name);
    return variable === undefined ? undefined : (variable.value ?? '');
  };
}

/** What a step sees: the scope overlaid with its own variables; the step's win, even empty ones. */
export function stepScope(scope: Variables, step: WorkflowStep): Variables {
  return step.step_variables === undefined ? scope : { ...scope, ...step.step_variables };
}

/** Keeps the outputs `outArgs` lists; all of them when it lists none. */
export function filterOutputs(outputs: OutputValues, outArgs: readonly string[]): OutputValues {
  if (outArgs.length === 0) return outputs;
  const wanted = new Set(outArgs);
  return Object.fromEntries(Object.entries(outputs).filter(([name]) => wanted.has(name)));
}

/**
 * The variables the outputs become: a known variable keeps all but its value, a new one is a string.
 * Merge the result over the scope with spread.
 */
export function outputVariables(scope: Variables, outputs: OutputValues): Variables {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, value]) => [
      name,
      { ...(variableIn(scope, name) ?? { type: 'string' }), value },
    ]),
  );
}

/** The scope after a successful step. */
export function mergeOutputs(scope: Variables, outputs: OutputValues): Variables {
  return { ...scope, ...outputVariables(scope, outputs) };
}

/** The scope a called playbook starts with: its own variables win over those of the caller. */
export function childScope(caller: Variables, child: Variables): Variables {
  return { ...caller, ...child };
}
