/**
 * The engine's half of a replay. The SDK replays the code and returns every action since the start
 * of the generation; this replays those actions against the same history, to find out which are
 * new and whether the instance is finished.
 *
 * Invariants, shared with the SDK by protocol and therefore not ours to improve:
 * R1 Task numbers are handed out from 0 when an action is reached, in tree order.
 * R2 The next action is reached when the one before is finished; Task.all is finished when all
 *    children are, failed ones included; Task.any at the first.
 * R3 A scheduled event in the history must find an action with its number, kind and name.
 * R4 The newest waiter gets an event; without a waiter events queue up in order, per lower-case name.
 * R5 The instance ends only when every action was reached and finished and no task is open.
 * R6 After continueAsNew was reached, events go to the next generation; those queued before do not.
 */
import type { EpisodeAnswer } from './episode-result.ts';
import { EventWaiters } from './event-waiters.ts';
import type { EventRaised, HistoryEvent, ScheduledEvent } from './history-event.ts';
import type { NewTask } from './new-task.ts';
import { requireSameTask } from './new-task.ts';
import type { Action, ActivityAction, ChildAction } from './orchestration-action.ts';
import type { Replay, ReplayEnd, ReplayRules } from './replay.ts';
import { retryDelayMs } from './retry-delay.ts';
import type { Step } from './step.ts';
import { finishedStep, joinSteps, pendingStep, settle } from './step.ts';
import { nextPieceAt } from './timer-limits.ts';

export class ActionMachine {
  readonly #actions: readonly Action[];
  readonly #rules: ReplayRules;
  readonly #fresh = new Map<number, NewTask>();
  readonly #open = new Map<number, (succeeded: boolean) => void>();
  readonly #events = new EventWaiters();
  readonly #parked: HistoryEvent[] = [];
  readonly #carried: EventRaised[] = [];
  #continued: { readonly input: unknown } | undefined;
  #suspended = false;
  #now = 0;
  #nextId = 0;
  #reached = 0;
  #current: Step = finishedStep();

  constructor(actions: readonly Action[], rules: ReplayRules) {
    this.#actions = actions;
    this.#rules = rules;
  }

  deliver(event: HistoryEvent): void {
    if (event.kind === 'OrchestratorStarted') {
      this.#now = Math.max(this.#now, event.at);
    } else if (event.kind === 'ExecutionSuspended') {
      this.#suspended = true;
    } else if (event.kind === 'ExecutionResumed') {
      this.#suspended = false;
      for (const parked of this.#parked.splice(0)) this.#apply(parked);
    } else if (this.#suspended) {
      this.#parked.push(event);
    } else {
      this.#apply(event);
    }
  }

  result(answer: EpisodeAnswer): Replay {
    return {
      end: this.#suspended ? { kind: 'running' } : this.#end(answer),
      suspended: this.#suspended,
      newTasks: this.#suspended ? [] : [...this.#fresh.values()],
      isOpen: (taskId) => this.#open.has(taskId),
    };
  }

  #end(answer: EpisodeAnswer): ReplayEnd {
    const isWalked = this.#reached === this.#actions.length && this.#current.done;
    if (!isWalked || this.#open.size > 0) return { kind: 'running' };
    if (answer.error !== undefined) return { kind: 'failed', message: answer.error };
    if (this.#continued !== undefined) {
      return { kind: 'continued', input: this.#continued.input, carried: this.#carried };
    }
    return answer.isDone ? { kind: 'completed' } : { kind: 'running' };
  }

  #apply(event: HistoryEvent): void {
    switch (event.kind) {
      case 'ExecutionStarted':
        this.#walk();
        return;
      case 'TaskScheduled':
      case 'TimerCreated':
      case 'SubOrchestrationInstanceCreated':
        this.#confirm(event);
        return;
      case 'TaskCompleted':
      case 'TimerFired':
      case 'SubOrchestrationInstanceCompleted':
        this.#finish(event.taskId, true);
        return;
      case 'TaskFailed':
      case 'SubOrchestrationInstanceFailed':
        this.#finish(event.taskId, false);
        return;
      case 'EventRaised':
        this.#raise(event);
        return;
      default:
        return;
    }
  }

  /** R2: goes on as long as the action just reached is finished. */
  #walk(): void {
    while (this.#current.done) {
      const action = this.#actions[this.#reached];
      if (action === undefined) return;
      this.#reached += 1;
      this.#current = this.#begin(action);
    }
    this.#current.whenDone = () => this.#walk();
  }

  #begin(action: Action): Step {
    switch (action.kind) {
      case 'activity':
      case 'child':
        return this.#beginCall(action);
      case 'timer':
        return action.cancelled
          ? this.#cancelledTimer(action.fireAt)
          : this.#beginTimer(action.fireAt);
      case 'event':
        return this.#events.await(action.name);
      case 'continueAsNew':
        this.#continued ??= { input: action.input };
        return finishedStep();
      case 'all':
      case 'any':
        return joinSteps(
          action.children.map((child) => this.#begin(child)),
          action.kind,
        );
    }
  }

  #beginCall(action: ActivityAction | ChildAction): Step {
    this.#requireKnown(action);
    const { retry } = action;
    const step = pendingStep();
    const firstAttemptAt = this.#now;
    const attempt = (number: number): void => {
      this.#openTask(newCall(this.#nextId, action), (succeeded) => {
        if (succeeded || retry === undefined) return settle(step);
        const delayMs = retryDelayMs(retry, number, firstAttemptAt, this.#now);
        if (delayMs === undefined) return settle(step);
        this.#openTimer(this.#now + delayMs, () =>
          number >= retry.maxAttempts ? settle(step) : attempt(number + 1),
        );
      });
    };
    attempt(1);
    return step;
  }

  #beginTimer(fireAt: number): Step {
    const step = pendingStep();
    const nextPiece = (): void => {
      const pieceAt = nextPieceAt(fireAt, this.#now, this.#rules.timerLimits);
      this.#openTimer(pieceAt, () => {
        if (pieceAt < fireAt && this.#now < fireAt) nextPiece();
        else settle(step);
      });
    };
    nextPiece();
    return step;
  }

  /**
   * A cancelled timer keeps its number but counts as finished from the start. A Task.any with it is
   * therefore decided at once, and an event that won it comes after a continueAsNew that follows:
   * by R6 the next generation gets the event again. Event names should be unique to their wait.
   */
  #cancelledTimer(fireAt: number): Step {
    const taskId = this.#nextId;
    const pieceAt = nextPieceAt(fireAt, this.#now, this.#rules.timerLimits);
    this.#fresh.set(taskId, { kind: 'timer', taskId, fireAt: pieceAt, cancelled: true });
    this.#nextId += 1;
    return finishedStep();
  }

  #openTimer(fireAt: number, whenFired: () => void): void {
    this.#openTask({ kind: 'timer', taskId: this.#nextId, fireAt, cancelled: false }, whenFired);
  }

  #openTask(task: NewTask, whenFinished: (succeeded: boolean) => void): void {
    this.#fresh.set(task.taskId, task);
    this.#open.set(task.taskId, whenFinished);
    this.#nextId += 1;
  }

  #requireKnown(action: ActivityAction | ChildAction): void {
    const isActivity = action.kind === 'activity';
    const isKnown = isActivity
      ? this.#rules.knowsActivity(action.name)
      : this.#rules.knowsOrchestrator(action.name);
    if (isKnown) return;
    throw new Error(
      `The function '${action.name}' is not registered as ${isActivity ? 'an activity' : 'an orchestrator'}.`,
    );
  }

  /** R3 */
  #confirm(event: ScheduledEvent): void {
    requireSameTask(this.#fresh.get(event.taskId), event);
    this.#fresh.delete(event.taskId);
  }

  /** A completion nobody waits for is a duplicate, or belongs to a cancelled timer. */
  #finish(taskId: number, succeeded: boolean): void {
    const whenFinished = this.#open.get(taskId);
    if (whenFinished === undefined) return;
    this.#open.delete(taskId);
    whenFinished(succeeded);
  }

  /** R4 and R6 */
  #raise(event: EventRaised): void {
    if (this.#continued === undefined) this.#events.raise(event.name);
    else this.#carried.push(event);
  }
}

function newCall(taskId: number, action: ActivityAction | ChildAction): NewTask {
  return action.kind === 'activity'
    ? { kind: 'activity', taskId, action }
    : { kind: 'child', taskId, action };
}
