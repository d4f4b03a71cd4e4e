/** Runs the orchestrator function once over its history, or twice to check that it is deterministic. */
import type { FunctionCaller } from '../durable-host.ts';
import type { EpisodeResult } from '../protocol/episode-result.ts';
import {
  messageOf,
  parseEpisodeRejection,
  parseEpisodeReturn,
} from '../protocol/episode-result.ts';
import type { Trigger } from '../protocol/trigger-payload.ts';
import { triggerPayload } from '../protocol/trigger-payload.ts';

export type AskOptions = { readonly route: 'json' | 'live'; readonly checkReplay: boolean };

/** Never rejects. */
export async function askOrchestrator(
  caller: FunctionCaller,
  registered: string,
  trigger: Trigger,
  options: AskOptions,
): Promise<EpisodeResult> {
  const first = await ask(caller, registered, trigger, options.route);
  if (!options.checkReplay) return first.result;
  const second = await ask(caller, registered, trigger, options.route);
  const [one, other] = [fingerprint(first), fingerprint(second)];
  if (one === other) return first.result;
  return {
    kind: 'broken',
    message:
      'Non-deterministic orchestration: two runs over the same history differ. ' +
      `First: ${shorten(one)} Second: ${shorten(other)}`,
  };
}

type Run = { readonly result: EpisodeResult; readonly returned: unknown; readonly thrown: unknown };

async function ask(
  caller: FunctionCaller,
  registered: string,
  trigger: Trigger,
  route: 'json' | 'live',
): Promise<Run> {
  try {
    const returned = await caller.call(registered, triggerPayload(trigger, route));
    return { result: parseEpisodeReturn(returned), returned, thrown: undefined };
  } catch (thrown) {
    return { result: parseEpisodeRejection(thrown), returned: undefined, thrown };
  }
}

function fingerprint(run: Run): string {
  return run.thrown === undefined ? JSON.stringify(run.returned) : messageOf(run.thrown);
}

function shorten(text: string): string {
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}
