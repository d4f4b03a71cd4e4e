/** A log that remembers what it was told. */

import type { EventName, Log, LogFields } from '../../../core/ports/log.ts';
import { noLog } from '../../support/no-log.ts';

export type Logged = { readonly event: EventName; readonly fields: LogFields | undefined };

export function aLog(): { readonly log: Log; readonly logged: Logged[] } {
  const logged: Logged[] = [];
  const note = (event: EventName, fields?: LogFields) => void logged.push({ event, fields });
  return { log: { ...noLog, info: note, warning: note, error: note }, logged };
}
