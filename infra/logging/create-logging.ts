/**
 * The service's own log writer. Levels follow the mode: in production LOG_GLOBAL_LEVEL rules over
 * every component; in development a component with a level of its own is heard down to the more
 * talkative of the two. The security log passes no threshold at all.
 */

import type { LogConfig } from '../../core/config/config.ts';
import {
  type EventName,
  type Log,
  type LogFields,
  type LogLevel,
  logLevels,
  type SecurityLog,
} from '../../core/ports/log.ts';
import {
  createFileWriter,
  createStandardOutputWriter,
  type DroppedLine,
  type LineWriter,
} from './line-writer.ts';
import { jsonLine, type Redact, textLine } from './log-line.ts';

export type Logging = {
  readonly log: Log;
  readonly security: SecurityLog;
  /** Resolves when everything logged so far has been written. Happens by itself at exit. */
  flush(): Promise<void>;
  /** Goes on in a new file of the same name (log rotation). Keeps the old one when that fails. */
  reopen(): void;
  /** Writes what is pending and lets go of the file; nothing may be logged afterwards. */
  close(): Promise<void>;
};

export type LoggingOptions = {
  readonly redact?: Redact;
  readonly now?: () => number;
};

export function createLogging(config: LogConfig, options: LoggingOptions = {}): Logging {
  const { redact = (text) => text, now = Date.now } = options;
  const render = config.format === 'json' ? jsonLine : textLine;
  const { writer, failure } = openWriter(config.filePath, droppedLine);

  function droppedLine(lines: number): string {
    const level = 'error';
    const event = 'log.lines-dropped';
    return render({ atMs: now(), level, component: 'logging', event, fields: { lines } }, redact);
  }

  function put(component: string, level: LogLevel, event: string, fields?: LogFields): void {
    writer.append(render({ atMs: now(), level, component, event, fields }, redact));
    if (rank(level) <= rank('fatal')) writer.writeNow();
  }

  process.on('exit', writer.writeNow);
  const log = createLog(put, config, 'service', undefined);
  if (failure !== undefined) {
    log.warning('log.file-unusable', { path: config.filePath, error: failure });
  }
  return {
    log,
    security: { record: (event, fields) => put('security', 'info', event, { ...fields, event }) },
    flush: () => writer.flush(),
    reopen() {
      try {
        writer.reopen();
      } catch (error) {
        log.warning('log.file-unusable', { path: config.filePath, error });
      }
    },
    async close() {
      process.off('exit', writer.writeNow);
      await writer.close();
    },
  };
}

type Put = (component: string, level: LogLevel, event: string, fields?: LogFields) => void;

function createLog(put: Put, config: LogConfig, component: string, own: LogLevel | undefined): Log {
  const threshold = rank(effectiveLevel(config, own));
  const at = (level: LogLevel) =>
    rank(level) > threshold
      ? () => {}
      : (event: EventName, fields?: LogFields) => put(component, level, event, fields);
  return {
    panic: at('panic'),
    fatal: at('fatal'),
    error: at('error'),
    warning: at('warning'),
    info: at('info'),
    debug: at('debug'),
    trace: at('trace'),
    enabled: (level) => rank(level) <= threshold,
    child: (name, level) => createLog(put, config, name, level),
  };
}

function effectiveLevel(config: LogConfig, own: LogLevel = config.level): LogLevel {
  const choose = config.mode === 'production' ? Math.min : Math.max;
  return logLevels[choose(rank(own), rank(config.level))] ?? config.level;
}

/** Position of a level, worst first: the larger, the more talkative. */
function rank(level: LogLevel): number {
  return logLevels.indexOf(level);
}

function openWriter(
  path: string | undefined,
  droppedLine: DroppedLine,
): {
  readonly writer: LineWriter;
  readonly failure?: unknown;
} {
  if (path === undefined) return { writer: createStandardOutputWriter(droppedLine) };
  try {
    return { writer: createFileWriter(path, droppedLine) };
  } catch (failure) {
    return { writer: createStandardOutputWriter(droppedLine), failure };
  }
}
