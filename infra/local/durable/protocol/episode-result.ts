/**
 * What came out of one run of an orchestrator function: either the SDK's answer, or a hard failure
 * (a rejection the SDK did not wrap, which user code can neither cause on purpose nor catch).
 */
import type { Action } from './orchestration-action.ts';
import { parseAction } from './orchestration-action.ts';

export type EpisodeAnswer = {
  readonly kind: 'answer';
  readonly isDone: boolean;
  readonly actions: readonly Action[];
  readonly output: unknown;
  readonly error: string | undefined;
  readonly customStatus: unknown;
};

export type EpisodeResult = EpisodeAnswer | { readonly kind: 'broken'; readonly message: string };

/** The SDK puts its answer behind this marker when the orchestrator threw. */
const errorMarker = '\n\n$OutOfProcData$:';

/** Parses what the orchestrator function returned. Never throws: what cannot be read is broken. */
export function parseEpisodeReturn(returned: unknown): EpisodeResult {
  try {
    return parseAnswer(returned);
  } catch (error) {
    return { kind: 'broken', message: messageOf(error) };
  }
}

/** Parses what the orchestrator function rejected with. */
export function parseEpisodeRejection(thrown: unknown): EpisodeResult {
  const message = messageOf(thrown);
  const marker = message.indexOf(errorMarker);
  if (marker === -1) return { kind: 'broken', message };
  try {
    const answer = parseAnswer(JSON.parse(message.slice(marker + errorMarker.length)));
    // The SDK leaves out the text of an error without a message; it is an error all the same.
    return { ...answer, error: answer.error ?? '' };
  } catch (error) {
    return { kind: 'broken', message: messageOf(error) };
  }
}

/** The text of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

function parseAnswer(raw: unknown): EpisodeAnswer {
  if (typeof raw !== 'object' || raw === null || !('isDone' in raw) || !('actions' in raw)) {
    throw new Error('The orchestrator function did not return what the durable SDK returns.');
  }
  const fields = raw as Readonly<Record<string, unknown>>;
  return {
    kind: 'answer',
    isDone: fields['isDone'] === true,
    actions: parseActions(fields['actions']),
    output: fields['output'],
    error: typeof fields['error'] === 'string' ? fields['error'] : undefined,
    customStatus: fields['customStatus'],
  };
}

function parseActions(raw: unknown): readonly Action[] {
  const list: unknown = Array.isArray(raw) ? raw[0] : undefined;
  if (!Array.isArray(list)) throw new Error('The durable SDK returned no list of actions.');
  return list.map(parseAction);
}
