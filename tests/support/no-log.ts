import type { Log } from '../../core/ports/log.ts';

const nothing = () => {};

export const noLog: Log = {
  panic: nothing,
  fatal: nothing,
  error: nothing,
  warning: nothing,
  info: nothing,
  debug: nothing,
  trace: nothing,
  enabled: () => false,
  child: () => noLog,
};
