/** What is logged, how, and where. */

import type { Config, LogConfig } from './config.ts';
import { anyText, logLevel, oneOf, path } from './kinds.ts';
import { optional, setting, type ValuesOf } from './variable.ts';

export const logVariables = {
  LOG_GLOBAL_LEVEL: setting(
    logLevel,
    'info',
    'One of panic, fatal, error, warning, info, debug, trace.',
    { lenient: true },
  ),
  LOG_MODE: setting(
    oneOf(['development', 'production']),
    'development',
    'In production LOG_GLOBAL_LEVEL applies to all modules, and error answers do not repeat the call.',
  ),
  LOG_FORMAT: setting(oneOf(['json', 'text']), 'json', 'json or text.', { lenient: true }),
  LOG_FILE_PATH: optional(path, 'File the log is appended to.', {
    shownDefault: 'standard output',
  }),
  PLAYBOOK_API_LOG_LEVEL: setting(
    logLevel,
    'trace',
    'Level of the playbook API; in production LOG_GLOBAL_LEVEL limits it.',
    { lenient: true },
  ),
  APPLICATIONINSIGHTS_CONNECTION_STRING: optional(
    anyText,
    'Sends traces and metrics to Application Insights.',
    { secret: true },
  ),
};

export function logConfig(values: ValuesOf<typeof logVariables>): LogConfig {
  return {
    mode: values.LOG_MODE,
    level: values.LOG_GLOBAL_LEVEL,
    format: values.LOG_FORMAT,
    filePath: values.LOG_FILE_PATH,
    playbookApiLevel: values.PLAYBOOK_API_LOG_LEVEL,
  };
}

export function telemetryConfig(values: ValuesOf<typeof logVariables>): Config['telemetry'] {
  const connectionString = values.APPLICATIONINSIGHTS_CONNECTION_STRING;
  return connectionString === undefined ? undefined : { connectionString };
}
