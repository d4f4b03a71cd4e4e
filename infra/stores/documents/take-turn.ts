/** What one turn makes of the state of a run. */

import type { Commit } from '../../../core/ports/run-journal.ts';
import { awaitedChild, begunBy, isFinished } from '../run-rules.ts';
import type { Draft } from './pieces.ts';
import type { ListedQuestion } from './run-lists.ts';
import {
  type AskedCommand,
  dropScope,
  findWalk,
  newWalk,
  type RunState,
  type WalkEntry,
  writeScope,
} from './run-state.ts';
import { writeSteps } from './step-log.ts';

const INLINE_CHILD = 50_000;
const INLINE_COMMAND = 8_000;

/** The walk is known to stand where the commit begins. */
export function takeTurn(before: RunState, commit: Commit, stamp: string, draft: Draft): RunState {
  const run = { ...before.run, ...commit.run };
  const walks = movedWalks(before, commit, stamp, draft);
  return {
    ...before,
    run,
    walks: isFinished(run) ? walks.map((walk) => withoutQuestion(walk, draft)) : walks,
    log: writeSteps(before.log, commit.steps, draft),
    ...(commit.child === undefined
      ? {}
      : { birth: draft.keep(begunBy(run, commit.child), INLINE_CHILD) }),
  };
}

/** Every question the run waits for, or has an answer to that its walk has not seen. */
export function questionsOf({ run, walks }: RunState): readonly ListedQuestion[] {
  return walks.flatMap(({ record, asked }) =>
    asked === undefined
      ? []
      : [{ executionId: run.executionId, walkId: record.walkId, turn: asked.turn }],
  );
}

function movedWalks(
  before: RunState,
  commit: Commit,
  stamp: string,
  draft: Draft,
): readonly WalkEntry[] {
  const joined = new Set(commit.joined);
  const begun = (commit.walks ?? []).map(newWalk);
  const replaced = new Set(begun.map(({ record }) => record.walkId));
  const staying = before.walks.filter(({ record }) => {
    const stays = !joined.has(record.walkId) && !replaced.has(record.walkId);
    if (!stays) dropWalk(findWalk(before, record.walkId), draft);
    return stays;
  });
  const moved = staying.map((walk) =>
    walk.record.walkId === commit.walkId ? movedWalk(walk, commit, stamp, draft) : walk,
  );
  return [...moved, ...begun];
}

function movedWalk(
  { variables, asked }: WalkEntry,
  commit: Commit,
  stamp: string,
  draft: Draft,
): WalkEntry {
  const child = awaitedChild(commit);
  const question = nextQuestion(asked, commit, stamp, draft);
  return {
    record: commit.walk,
    variables: writeScope(variables, commit.variables, draft),
    ...(child === undefined ? {} : { child }),
    ...(question === undefined ? {} : { asked: question }),
  };
}

function nextQuestion(
  asked: AskedCommand | undefined,
  { ask, consumed }: Commit,
  stamp: string,
  draft: Draft,
): AskedCommand | undefined {
  const isConsumed = asked?.stepId === consumed?.stepId && asked?.turn === consumed?.turn;
  if (ask === undefined && !isConsumed) return asked;
  draft.drop(asked?.command);
  if (ask === undefined) return undefined;
  const { stepId, turn, openedMs, state } = ask;
  return { stamp, openedMs, stepId, turn, state, command: draft.keep(ask, INLINE_COMMAND) };
}

function withoutQuestion({ asked, ...walk }: WalkEntry, draft: Draft): WalkEntry {
  draft.drop(asked?.command);
  return walk;
}

function dropWalk(walk: WalkEntry | undefined, draft: Draft): void {
  draft.drop(walk?.asked?.command);
  dropScope(walk?.variables ?? [], draft);
}
