/** Reports executions to a webhook: one POST per event, in order. */

import type { WebhookConfig } from '../../../core/config/config.ts';
import type { Clock, Ids } from '../../../core/ports/clock.ts';
import type { Log } from '../../../core/ports/log.ts';
import type { RunEvent } from '../../../core/ports/reporter.ts';
import { DeliveryQueue } from '../delivery-queue.ts';
import { describeEvent, type OpenReporter } from '../open-reporter.ts';
import type { PatientCalls } from '../patient-calls.ts';
import { createWebhook } from './create-webhook.ts';

export type WebhookReporterParts = {
  readonly config: WebhookConfig;
  /** The event in the spelling of the API. */
  readonly render: (event: RunEvent) => object;
  readonly calls: PatientCalls;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
};

export function createWebhookReporter(parts: WebhookReporterParts): OpenReporter {
  const { config, render, calls, clock, ids, log } = parts;
  const name = 'webhook';
  const send = createWebhook(config, calls, clock);
  const queue = new DeliveryQueue<RunEvent>({
    name,
    log,
    describe: describeEvent,
    deliver: (event, signal) =>
      send({ id: ids.uuid(), event: event.kind, body: render(event) }, signal),
  });
  return {
    name,
    report: (event) => queue.put(event),
    async close(patienceMs) {
      await queue.close(patienceMs);
      await calls.close();
    },
  };
}
