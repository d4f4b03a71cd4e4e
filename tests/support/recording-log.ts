import type { Log, LogFields } from '../../core/ports/log.ts';

export type Line = { readonly level: string; readonly event: string; readonly fields: LogFields };

/** A log that keeps its lines for a test to look at. */
export function recordingLog(): { readonly log: Log; readonly lines: readonly Line[] } {
  const lines: Line[] = [];
  const at =
    (level: string) =>
    (event: string, fields: LogFields = {}) =>
      void lines.push({ level, event, fields });
  const log: Log = {
    panic: at('panic'),
    fatal: at('fatal'),
    error: at('error'),
    warning: at('warning'),
    info: at('info'),
    debug: at('debug'),
    trace: at('trace'),
    enabled: () => true,
    child: () => log,
  };
  return { log, lines };
}
