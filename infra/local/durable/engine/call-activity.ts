/** Runs one activity and turns what comes back into the event its orchestrator will see. */
import type { FunctionCaller, TriggerInput } from '../durable-host.ts';
import { messageOf } from '../protocol/episode-result.ts';
import type { TaskCompleted, TaskFailed } from '../protocol/history-event.ts';
import { fromTextOrJson, toJsonText } from '../protocol/json-text.ts';
import { refuseSize } from '../protocol/size-limits.ts';

export type ActivityCall = {
  /** As the orchestrator wrote it. */
  readonly name: string;
  /** As the app registered it; undefined when the app no longer has it. */
  readonly registered: string | undefined;
  readonly taskId: number;
  readonly inputText: string;
  readonly route: 'json' | 'live';
};

/** Stack traces go into the history; this much of one is enough to find the place. */
const maxStackLength = 2000;

/** Never rejects: whatever goes wrong is a failed task. */
export async function callActivity(
  caller: FunctionCaller,
  call: ActivityCall,
  now: () => number,
): Promise<TaskCompleted | TaskFailed> {
  const { name, registered, taskId } = call;
  const fail = (message: string, details: string): TaskFailed => {
    const reason = `Activity function '${name}' failed: ${message}`;
    return { kind: 'TaskFailed', at: now(), taskId, reason, details };
  };
  if (registered === undefined) return fail('The app has no activity of this name.', '');
  try {
    const result = toResultText(await caller.call(registered, triggerInput(call)));
    const refusal = refuseSize('The result', result);
    if (refusal !== undefined) return fail(refusal, '');
    return { kind: 'TaskCompleted', at: now(), taskId, result };
  } catch (error) {
    return fail(messageOf(error), errorDetails(error));
  }
}

/** The library parses typed data of kind string, if it can; the live route does the same here. */
function triggerInput(call: ActivityCall): TriggerInput {
  return call.route === 'json'
    ? { route: 'json', text: call.inputText }
    : { route: 'live', value: fromTextOrJson(call.inputText) };
}

/** Bytes travel as base64, as on Azure. */
function toResultText(value: unknown): string | null {
  if (value instanceof Uint8Array) return JSON.stringify(Buffer.from(value).toString('base64'));
  return toJsonText(value);
}

function errorDetails(thrown: unknown): string {
  if (!(thrown instanceof Error)) return '';
  return JSON.stringify({ name: thrown.name, stack: thrown.stack?.slice(0, maxStackLength) });
}
