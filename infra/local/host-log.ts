/** What the embedded host itself has to say: lines of the product's log, but apart from the app's own. */

import {
  type EventName,
  type Log,
  type LogFields,
  type LogLevel,
  logLevels,
} from '../../core/ports/log.ts';
import { jsonLine } from '../logging/log-line.ts';

/** Lines less severe than `threshold` are dropped. `print` gets each line with its end. */
export function createHostLog(
  threshold: LogLevel,
  print: (line: string) => void,
  component = 'host',
): Log {
  const last = logLevels.indexOf(threshold);
  const at = (level: LogLevel) => (event: EventName, fields?: LogFields) => {
    if (logLevels.indexOf(level) > last) return;
    print(jsonLine({ atMs: Date.now(), level, component, event, fields }, (text) => text));
  };
  return {
    panic: at('panic'),
    fatal: at('fatal'),
    error: at('error'),
    warning: at('warning'),
    info: at('info'),
    debug: at('debug'),
    trace: at('trace'),
    enabled: (level) => logLevels.indexOf(level) <= last,
    child: (name, level) => createHostLog(level ?? threshold, print, name),
  };
}
