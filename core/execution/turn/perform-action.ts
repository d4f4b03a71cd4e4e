/**
 * Performs an action step: every command, in order, for every target; the first failure ends it (spec,
 * Execution rules 6). Whatever happens becomes a value.
 */

import { argumentNames } from '../../cacao/arguments.ts';
import { agentDefinitions, commandsOf, definitionOf } from '../../cacao/definitions.ts';
import type { Command, Playbook, WorkflowStep } from '../../cacao/playbook.ts';
import { filterOutputs, lookupIn, type OutputValues } from '../../cacao/variables.ts';
import type { StepFailure } from '../../engine/effects.ts';
import type { Capability, CapabilitySession, StepContext } from '../../ports/capability.ts';
import type { SecretVault } from '../../ports/secret-vault.ts';
import type { CapabilityTable } from '../capability-table.ts';
import { redactor } from '../redaction.ts';
import type { Variables } from '../run.ts';
import { bindCommand, isUnusable } from './bind.ts';
import { crashed, endedBy, endQuietly, performGuarded } from './guarded-command.ts';
import { type Resolved, resolveSecrets } from './resolve-secrets.ts';
import { type BoundTarget, boundTargets } from './targets.ts';

export type ActionWork = {
  readonly playbook: Playbook;
  readonly step: Extract<WorkflowStep, { readonly type: 'action' | 'single' }>;
  readonly variables: Variables;
  readonly context: StepContext;
  readonly signal: AbortSignal;
  /** References to secrets in the playbook and its callers': a target may know any of those secrets. */
  readonly references?: readonly string[];
  /** Results are also returned under names with this prefix in place of `svc`. */
  readonly prefix?: string;
};

export type ActionResult = {
  readonly failure?: StepFailure;
  /** For the scope: filtered by out_args; empty after a failure. */
  readonly outputs: OutputValues;
  /** For the report: all the commands returned, of failed ones too. */
  readonly returned: OutputValues;
  /** The command texts actually invoked, in order, variables inserted. */
  readonly invoked: readonly string[];
  readonly executedBy: string;
  /** To be hidden in the report, beside those the playbook itself holds. */
  readonly secrets: readonly string[];
};

export async function performAction(
  work: ActionWork,
  capabilities: CapabilityTable,
  vault?: SecretVault,
): Promise<ActionResult> {
  const { step, playbook } = work;
  const agentId = step.agent ?? '';
  const agent = definitionOf(agentDefinitions(playbook), agentId);
  const capability = agent && (await capabilities.find(agentId, agent));
  if (agent === undefined || capability === undefined) {
    return refusedAction(`There is no capability for the agent ${agent?.name ?? agentId}.`);
  }
  const lookup = lookupIn(work.variables);
  const targets = boundTargets(playbook, step, agent, lookup, capability.targetless);
  if (isUnusable(targets)) return refusedAction(targets.unusable);
  const resolved = await resolveSecrets(playbook, targets, vault, work.signal);
  if ('error' in resolved) return unperformed(resolved);
  const known = (work.references ?? []).flatMap((reference) => vault?.peek(reference) ?? []);
  const session = beginSession(capability, work.context);
  if (!('perform' in session)) return unperformed(session);
  try {
    const prefix = capabilities.foreignPrefix(agent);
    return await performAll({ ...work, ...(prefix === undefined ? {} : { prefix }) }, session, {
      ...resolved,
      secrets: [...resolved.secrets, ...known],
    });
  } finally {
    await endQuietly(session);
  }
}

async function performAll(
  work: ActionWork,
  session: CapabilitySession,
  { targets, secrets }: Resolved,
): Promise<ActionResult> {
  const outArgs = argumentNames(work.step.out_args);
  const progress: Progress = {
    outputs: {},
    returned: {},
    invoked: [],
    executedBy: 'svc',
    secrets: [...secrets],
  };
  for (const command of commandsOf(work.step)) {
    for (const target of targets) {
      const failure = await performOne({ work, session, command, target, outArgs, progress });
      if (failure !== undefined) return { ...progress, outputs: {}, failure };
    }
  }
  return progress;
}

/** Filled while the commands of one step run; nobody outside this file sees it change. */
type Progress = {
  outputs: OutputValues;
  returned: OutputValues;
  readonly invoked: string[];
  executedBy: string;
  readonly secrets: string[];
};

async function performOne(turn: {
  readonly work: ActionWork;
  readonly session: CapabilitySession;
  readonly command: Command;
  readonly target: BoundTarget;
  readonly outArgs: readonly string[];
  readonly progress: Progress;
}): Promise<StepFailure | undefined> {
  const { work, session, command, target, outArgs, progress } = turn;
  const bound = bindCommand(command, lookupIn(work.variables));
  if (isUnusable(bound)) return { status: 'client_side_error', error: bound.unusable };
  const { signal, variables } = work;
  if (signal.aborted) return failureOf(endedBy(signal));
  progress.invoked.push(bound.text);
  const outcome = await performGuarded(session, {
    ...bound,
    ...target,
    variables,
    outArgs,
    signal,
  });
  progress.secrets.push(...(outcome.secrets ?? []));
  // They are not in the playbook: what a target sends back of them must not get into the store.
  const shown = withoutSecrets(outcome.values ?? {}, progress.secrets);
  const values = alsoNamed(work.prefix, shown);
  progress.returned = { ...progress.returned, ...values };
  progress.executedBy = outcome.executedBy ?? progress.executedBy;
  if (!outcome.ok) return failureOf(outcome);
  progress.outputs = { ...progress.outputs, ...filterOutputs(values, outArgs) };
  return undefined;
}

function withoutSecrets(values: OutputValues, secrets: readonly string[]): OutputValues {
  const redact = redactor(secrets);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, redact(value)]));
}

function failureOf({ status, error }: StepFailure): StepFailure {
  return { status, error };
}

/** Playbooks written for `x-ssh` read `__x_ssh_result__` where we say `__svc_ssh_result__`. */
function alsoNamed(prefix: string | undefined, values: OutputValues): OutputValues {
  if (prefix === undefined) return values;
  const renamed = Object.entries(values).flatMap(([name, value]) =>
    name.startsWith('__svc_') ? [[name.replace('__svc_', `__${prefix}_`), value]] : [],
  );
  return { ...values, ...Object.fromEntries(renamed) };
}

function beginSession(
  capability: Capability,
  context: StepContext,
): CapabilitySession | StepFailure {
  try {
    return capability.begin(context);
  } catch (error) {
    return crashed(error);
  }
}

function refusedAction(error: string): ActionResult {
  return unperformed({ status: 'client_side_error', error });
}

function unperformed(unbegun: StepFailure): ActionResult {
  const failure = failureOf(unbegun);
  return { failure, outputs: {}, returned: {}, invoked: [], executedBy: 'svc', secrets: [] };
}
