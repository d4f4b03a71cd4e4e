/** Finds out, from one answer of the SDK, what is new and whether the instance is finished. */
import { ActionMachine } from './action-machine.ts';
import type { EpisodeAnswer } from './episode-result.ts';
import { messageOf } from './episode-result.ts';
import type { HistoryEvent } from './history-event.ts';
import { countActions } from './orchestration-action.ts';
import type { Replay, ReplayRules } from './replay.ts';

/** Replays the actions of one answer against the history that led to it. Never throws. */
export function replayActions(
  history: readonly HistoryEvent[],
  answer: EpisodeAnswer,
  rules: ReplayRules,
): Replay {
  const machine = new ActionMachine(answer.actions, rules);
  try {
    if (countActions(answer.actions) > rules.maxActions) {
      throw new Error(`The orchestrator asked for more than ${rules.maxActions} actions.`);
    }
    for (const event of history) machine.deliver(event);
    return machine.result(answer);
  } catch (error) {
    const end = { kind: 'failed', message: messageOf(error) } as const;
    return { end, suspended: false, newTasks: [], isOpen: () => false };
  }
}
