/** What a replay of actions needs to know and what it finds out. */
import type { EventRaised } from './history-event.ts';
import type { NewTask } from './new-task.ts';
import type { TimerLimits } from './timer-limits.ts';

export type ReplayRules = {
  readonly timerLimits: TimerLimits;
  readonly maxActions: number;
  readonly knowsActivity: (name: string) => boolean;
  readonly knowsOrchestrator: (name: string) => boolean;
};

export type ReplayEnd =
  | { readonly kind: 'running' }
  | { readonly kind: 'completed' }
  | { readonly kind: 'failed'; readonly message: string }
  | {
      readonly kind: 'continued';
      readonly input: unknown;
      readonly carried: readonly EventRaised[];
    };

export type Replay = {
  readonly end: ReplayEnd;
  readonly suspended: boolean;
  /** In order of task number. Empty while suspended. */
  readonly newTasks: readonly NewTask[];
  readonly isOpen: (taskId: number) => boolean;
};
