import type { EventName, Log, LogFields, LogLevel } from '../../../core/ports/log.ts';

export type LoggedLine = {
  readonly level: LogLevel;
  readonly event: EventName;
  readonly fields: LogFields | undefined;
};

/** A log that keeps its lines for the test to look at. */
export function aQuietLog(): Log & { readonly lines: readonly LoggedLine[] } {
  const lines: LoggedLine[] = [];
  const at = (level: LogLevel) => (event: EventName, fields?: LogFields) => {
    lines.push({ level, event, fields });
  };
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
  return { ...log, lines };
}
