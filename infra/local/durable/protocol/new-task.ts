/** A task the code asked for, and the check that the history holds the same one under its number. */
import type { ScheduledEvent } from './history-event.ts';
import type { ActivityAction, ChildAction } from './orchestration-action.ts';

export type NewTask =
  | { readonly kind: 'activity'; readonly taskId: number; readonly action: ActivityAction }
  | { readonly kind: 'child'; readonly taskId: number; readonly action: ChildAction }
  | {
      readonly kind: 'timer';
      readonly taskId: number;
      readonly fireAt: number;
      readonly cancelled: boolean;
    };

/** Throws when the history holds another task under this number than the code asks for now. */
export function requireSameTask(task: NewTask | undefined, event: ScheduledEvent): void {
  if (task !== undefined && isSameTask(task, event)) return;
  const asked = task === undefined ? 'nothing' : describeTask(task);
  throw new Error(
    `Non-deterministic orchestration: as task ${event.taskId} the history holds ` +
      `${describeEvent(event)}, but the code now asks for ${asked}.`,
  );
}

function isSameTask(task: NewTask, event: ScheduledEvent): boolean {
  switch (event.kind) {
    case 'TaskScheduled':
      return task.kind === 'activity' && isSameName(task.action.name, event.name);
    case 'SubOrchestrationInstanceCreated':
      return task.kind === 'child' && isSameName(task.action.name, event.name);
    case 'TimerCreated':
      return task.kind === 'timer';
  }
}

function isSameName(one: string, other: string): boolean {
  return one === other || one.toLowerCase() === other.toLowerCase();
}

function describeTask(task: NewTask): string {
  return task.kind === 'timer' ? 'a timer' : `${nouns[task.kind]} '${task.action.name}'`;
}

function describeEvent(event: ScheduledEvent): string {
  if (event.kind === 'TimerCreated') return 'a timer';
  return `${nouns[event.kind === 'TaskScheduled' ? 'activity' : 'child']} '${event.name}'`;
}

const nouns = { activity: 'activity', child: 'sub-orchestration' } as const;
