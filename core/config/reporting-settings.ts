/** Who is told about executions while they run, besides those who ask. */

import type { ReportingConfig } from './config.ts';
import { anyText, flag, webUrl, wholeNumber } from './kinds.ts';
import type { Notes } from './notes.ts';
import { optional, setting, type ValuesOf } from './variable.ts';

const partOf = 'CASEMGR_ACTIVATE';

export const reportingVariables = {
  MAX_REPORTERS: setting(
    wholeNumber(0),
    5,
    'Largest number of downstream reporters: case management, then the webhook. The cache and the store do not count.',
    { lenient: true },
  ),
  CASEMGR_ACTIVATE: setting(flag, false, 'Report to a case management system.', { lenient: true }),
  CASEMGR_API_TOKEN: optional(anyText, 'API token of the case management system.', {
    partOf,
    secret: true,
  }),
  CASEMGR_API_BASE_URL: optional(
    webUrl,
    'Base URL of its API; /api/v1 is appended unless it ends so.',
    { partOf },
  ),
  CASEMGR_ALLOW_INSECURE: setting(flag, false, 'Skip certificate validation towards it.', {
    partOf,
    lenient: true,
  }),
  CASEMGR_REPORTER: setting(
    flag,
    false,
    'Look for an existing case with the same observables before opening a new one.',
    { partOf, lenient: true },
  ),
  CASEMGR_ASSIGNEE: optional(
    anyText,
    'Login there that automated tasks are assigned to; it must exist. Manual tasks go to the owner of the token.',
    { partOf, shownDefault: 'nobody' },
  ),
  REPORT_WEBHOOK_URL: optional(
    webUrl,
    'Receives a POST at the start and end of every execution and step.',
  ),
  REPORT_WEBHOOK_SECRET: optional(
    anyText,
    'Key that signs the bodies sent to REPORT_WEBHOOK_URL.',
    {
      secret: true,
    },
  ),
  MANUAL_WEBHOOK_URL: optional(
    webUrl,
    'Receives a POST when a manual command begins to wait and when it no longer does. Whoever gets it answers through POST /manual/continue.',
  ),
  MANUAL_WEBHOOK_SECRET: optional(
    anyText,
    'Key that signs the bodies sent to MANUAL_WEBHOOK_URL.',
    {
      secret: true,
    },
  ),
};

type Values = ValuesOf<typeof reportingVariables>;

export function reportingConfig(values: Values, notes: Notes): ReportingConfig {
  return {
    maxReporters: values.MAX_REPORTERS,
    caseManagement: values.CASEMGR_ACTIVATE ? caseManagementConfig(values, notes) : undefined,
    webhook: webhookConfig(values.REPORT_WEBHOOK_URL, values.REPORT_WEBHOOK_SECRET),
    manualWebhook: webhookConfig(values.MANUAL_WEBHOOK_URL, values.MANUAL_WEBHOOK_SECRET),
  };
}

function webhookConfig(url: string | undefined, secret: string | undefined) {
  return url === undefined ? undefined : { url, secret };
}

function caseManagementConfig(values: Values, notes: Notes): ReportingConfig['caseManagement'] {
  const { CASEMGR_API_BASE_URL: baseUrl, CASEMGR_API_TOKEN: token } = values;
  if (baseUrl === undefined || token === undefined) {
    const missing = baseUrl === undefined ? 'CASEMGR_API_BASE_URL' : 'CASEMGR_API_TOKEN';
    notes.warn(missing, 'is missing, so the case management integration stays off');
    return undefined;
  }
  const trimmed = baseUrl.replace(/\/+$/, '');
  return {
    baseUrl: trimmed.endsWith('/api/v1') ? trimmed : `${trimmed}/api/v1`,
    token,
    skipTlsVerify: values.CASEMGR_ALLOW_INSECURE,
    correlate: values.CASEMGR_REPORTER,
    assignee: values.CASEMGR_ASSIGNEE,
  };
}
