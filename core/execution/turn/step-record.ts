/** StepRecords of steps the interpreter only notes; those of actions are made where they are performed. */

import type { Playbook, Variables } from '../../cacao/playbook.ts';
import type { Note, StepEffect } from '../../engine/effects.ts';
import type { WalkId } from '../ids.ts';
import type { Redact } from '../redaction.ts';
import type { StepRecord, WalkRecord } from '../run.ts';
import { reportedVariables, stepOf, visibleVariables } from '../scope.ts';

/** The invocation's name, unique within the run and the same when its turn is taken again. */
export function invocationName(walkId: WalkId, effect: Pick<StepEffect, 'invocation'>): string {
  return `${walkId}#${effect.invocation}`;
}

/** Whether the walk, or one that it forked, has begun this invocation. */
export function isOf(walkId: WalkId, { invocation }: Pick<StepRecord, 'invocation'>): boolean {
  const by = invocation.slice(0, invocation.lastIndexOf('#'));
  return by === walkId || by.startsWith(`${walkId}.`);
}

/** Its place in the order in which the steps of its walk were begun. */
export function invocationNumber({ invocation }: Pick<StepRecord, 'invocation'>): number {
  return Number(invocation.slice(invocation.lastIndexOf('#') + 1));
}

export type StepBeginning = {
  readonly walkId: WalkId;
  readonly playbook: Playbook;
  readonly effect: Pick<StepEffect, 'step' | 'invocation' | 'startedMs'>;
  readonly variables: Variables;
  readonly redact: Redact;
};

/** How a step is reported while it is being executed. */
export function ongoingRecord(beginning: StepBeginning): StepRecord {
  const { playbook, effect, walkId, variables, redact } = beginning;
  const step = stepOf(playbook, effect.step);
  return {
    invocation: invocationName(walkId, effect),
    stepId: effect.step,
    name: step?.name ?? '',
    description: step?.description ?? '',
    status: 'ongoing',
    statusText: 'the step is being executed',
    errors: [],
    startedMs: effect.startedMs,
    executedBy: 'svc',
    commandsB64: [],
    variables: reportedVariables(variables, {}, redact),
    automated: true,
    interruptions: 0,
  };
}

/** The last note of an invocation is what the report shows; `variables` are those of the walk. */
export function notedRecords(
  notes: readonly Note[],
  beginning: Omit<StepBeginning, 'effect'>,
  atMs: number,
  known: { readonly walks: readonly WalkRecord[]; readonly records: readonly StepRecord[] },
): readonly StepRecord[] {
  const last = new Map(notes.map((note) => [note.invocation, note]));
  return [...last.values()].map((note) => {
    const name = invocationName(beginning.walkId, note);
    const record =
      known.records.find(({ invocation }) => invocation === name) ??
      ongoingRecord({
        ...beginning,
        effect: note,
        variables: visibleVariables(beginning.playbook, note.scope, beginning.variables),
      });
    return {
      ...record,
      status: note.status,
      statusText: note.text,
      errors: note.error === undefined ? [] : [beginning.redact(note.error)],
      ...(note.status === 'ongoing' ? {} : { endedMs: atMs }),
      ...childOf(note, known.walks),
    };
  });
}

/** A playbook-action names the execution it started, while it runs and when it has ended. */
function childOf(note: Note, walks: readonly WalkRecord[]): Pick<StepRecord, 'child'> {
  const child = walks.find(
    ({ effect }) => effect.kind === 'child' && effect.invocation === note.invocation,
  )?.memo?.child;
  return child === undefined ? {} : { child };
}
