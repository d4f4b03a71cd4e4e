/**
 * Who is told about executions, in the order they are registered: the cache and the store always, because
 * they are what reports are read from; then case management and the webhook, as far as MAX_REPORTERS allows.
 */

import { setTimeout as pause } from 'node:timers/promises';
import type { ReportingConfig } from '../../core/config/config.ts';
import type { Clock, Ids } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/log.ts';
import type { RunEvent } from '../../core/ports/reporter.ts';
import type { RunLookup } from '../../core/ports/run-facts.ts';
import type { RunPreparation } from '../../core/ports/run-preparation.ts';
import type { EgressPolicy } from '../capabilities/addressing/egress.ts';
import { createCaseApi } from './case-management/case-api.ts';
import { createCaseReporter } from './case-management/case-reporter.ts';
import { createCorrelation } from './case-management/correlate.ts';
import type { OpenReporter } from './open-reporter.ts';
import { createPatientCalls } from './patient-calls.ts';
import { createWebhookReporter } from './webhook/webhook-reporter.ts';

export type ReportingParts = {
  readonly config: ReportingConfig;
  /** Where webhooks may be; the case management system is the operator's own. */
  readonly allows: EgressPolicy;
  readonly lookUp: RunLookup;
  /** An event in the spelling of the API. */
  readonly render: (event: RunEvent) => object;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Rejects when the signal is aborted. */
  readonly sleep?: (forMs: number, signal: AbortSignal) => Promise<unknown>;
};

export type Reporting = {
  readonly names: readonly string[];
  /** Never throws, never waits. */
  report(event: RunEvent): void;
  /** Absent unless executions are correlated with cases. */
  readonly prepare?: RunPreparation;
  /** Gives what is not delivered yet a moment. */
  close(): Promise<void>;
};

type Opened = { readonly reporter: OpenReporter; readonly prepare?: RunPreparation };

const CLOSING_MS = 3_000;

export function openReporting(parts: ReportingParts): Reporting {
  const { config, log } = parts;
  const wanted = [
    ...(config.caseManagement === undefined
      ? []
      : [openCaseManagement(config.caseManagement, parts)]),
    ...(config.webhook === undefined ? [] : [openWebhook(config.webhook, parts)]),
  ];
  const used = wanted.slice(0, config.maxReporters);
  for (const { reporter } of wanted.slice(config.maxReporters)) {
    log.warning('reporter.surplus', { reporter: reporter.name, max: config.maxReporters });
  }
  const prepare = used.find((one) => one.prepare !== undefined)?.prepare;
  return {
    names: ['cache', 'store', ...used.map(({ reporter }) => reporter.name)],
    report(event) {
      for (const { reporter } of used) reporter.report(event);
    },
    ...(prepare === undefined ? {} : { prepare }),
    async close() {
      await Promise.all(used.map(({ reporter }) => reporter.close(CLOSING_MS)));
    },
  };
}

function openCaseManagement(
  config: NonNullable<ReportingConfig['caseManagement']>,
  { lookUp, log, sleep = sleepFor }: ReportingParts,
): Opened {
  const { skipTlsVerify, correlate, assignee } = config;
  const calls = createPatientCalls({ skipCertificateCheck: skipTlsVerify, sleep });
  const api = createCaseApi(config, calls);
  const reporter = createCaseReporter({ api, lookUp, correlate, assignee, log, sleep });
  return {
    reporter: { ...reporter, close: (ms) => reporter.close(ms).finally(() => calls.close()) },
    ...(correlate ? { prepare: createCorrelation({ api, log }) } : {}),
  };
}

function openWebhook(
  config: NonNullable<ReportingConfig['webhook']>,
  { render, allows, clock, ids, log, sleep = sleepFor }: ReportingParts,
): Opened {
  const calls = createPatientCalls({ skipCertificateCheck: false, allows, sleep });
  return { reporter: createWebhookReporter({ config, render, calls, clock, ids, log }) };
}

async function sleepFor(forMs: number, signal: AbortSignal): Promise<void> {
  await pause(forMs, undefined, { signal });
}
