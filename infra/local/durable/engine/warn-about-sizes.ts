/** Warns about payloads that would be slow in the cloud; what is too large was refused before. */
import type { Log } from '../../../../core/ports/log.ts';
import { isLarge, sizeInBytes } from '../protocol/size-limits.ts';
import type { Messages } from './episode-batch.ts';
import type { Decision } from './episode-decision.ts';

/** Warns when the text is large. `what` names the payload: input, output, event, result. */
export function warnAboutSize(log: Log, instanceId: string, what: string, text: string | null) {
  if (text === null || !isLarge(text)) return;
  log.warning('durable.large_payload', { instanceId, what, sizeBytes: sizeInBytes(text) });
}

/** Warns about everything large that an episode read or decided. */
export function warnAboutSizes(
  log: Log,
  instanceId: string,
  messages: Messages,
  decision: Decision,
): void {
  const warn = (what: string, text: string | null) => warnAboutSize(log, instanceId, what, text);
  // A completion waits in the inbox when no episode took it at once.
  for (const { event } of [...messages.inbox, ...messages.completions]) {
    if (event.kind === 'TaskCompleted') warn('activity result', event.result);
  }
  switch (decision.kind) {
    case 'ended':
      warn('output', decision.output);
      return;
    case 'continued':
      warn('continueAsNew input', decision.input);
      return;
    case 'goesOn':
      for (const { name, inputText } of decision.work) warn(`input of activity ${name}`, inputText);
      for (const { name, input } of decision.children) warn(`input of child ${name}`, input);
      return;
  }
}
