/** What the product tells the people who run it. */

/** Severities, worst first. */
export const logLevels = ['panic', 'fatal', 'error', 'warning', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof logLevels)[number];

/** A fixed name with a dot, such as `execution.started`; it is never assembled from parts. */
export type EventName = `${string}.${string}`;

/**
 * The facts of one event. Values may be anything: an Error is written with its code, cause and stack,
 * undefined is left out. Secrets known to the redactor are masked, but do not rely on it.
 */
export type LogFields = { readonly [field: string]: unknown };

/** Runtime log. Writing never fails and never waits. */
export interface Log
  extends Readonly<Record<LogLevel, (event: EventName, fields?: LogFields) => void>> {
  /** Whether a line of this level would be written; saves building costly fields. */
  enabled(level: LogLevel): boolean;
  /** The same log speaking for another component; `level` is the component's own threshold. */
  child(component: string, level?: LogLevel): Log;
}

/** What the security log records: executions, playbook changes, answers, keys, refused callers. */
export const securityEvents = [
  'execution_started',
  'execution_ended',
  'execution_controlled',
  'step_failed',
  'playbook_created',
  'playbook_updated',
  'playbook_deleted',
  'manual_answered',
  'key_added',
  'key_replaced',
  'key_revoked',
  'keys_refreshed',
  'fin_registered',
  'fin_purged',
  'fin_ordered',
  'access_refused',
] as const;
export type SecurityEvent = (typeof securityEvents)[number];

/** A separate stream for auditors; no log level turns it off. */
export interface SecurityLog {
  record(event: SecurityEvent, fields: LogFields): void;
}
