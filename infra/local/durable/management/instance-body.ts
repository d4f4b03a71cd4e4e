/** The body of a status query. */
import type { HistoryEvent } from '../protocol/history-event.ts';
import { fromTextOrJson } from '../protocol/json-text.ts';
import { toShownEvent } from '../protocol/wire-event.ts';
import type { Instance } from '../store/instance-table.ts';

export type ShowOptions = {
  readonly showInput: boolean;
  readonly showHistoryOutput: boolean;
  /** Undefined when no history was asked for. */
  readonly history: readonly HistoryEvent[] | undefined;
};

/** Times are whole seconds; what is not JSON, such as a failure, is shown as text. */
export function instanceBody(instance: Instance, show: ShowOptions): Record<string, unknown> {
  return {
    name: instance.name,
    instanceId: instance.id,
    runtimeStatus: instance.status,
    input: show.showInput ? fromTextOrJson(instance.input) : null,
    customStatus: fromTextOrJson(instance.customStatus),
    output: fromTextOrJson(instance.output),
    createdTime: wholeSeconds(instance.createdAt),
    lastUpdatedTime: wholeSeconds(instance.updatedAt),
    ...(show.history !== undefined && {
      historyEvents: show.history.map((event) => toShownEvent(event, show.showHistoryOutput)),
    }),
  };
}

function wholeSeconds(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}
