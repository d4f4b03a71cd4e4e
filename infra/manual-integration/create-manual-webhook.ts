/**
 * The manual integration of this installation: a webhook that is told when a manual command begins to wait
 * and when it no longer does. Its receiver answers as everybody does, through POST /manual/continue.
 */

import type { WebhookConfig } from '../../core/config/config.ts';
import type { ManualCommand, ManualEnding } from '../../core/execution/manual-command.ts';
import type { Clock, Ids } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/log.ts';
import type { ClosedCommand, ManualIntegration } from '../../core/ports/manual-integration.ts';
import type { EgressPolicy } from '../capabilities/addressing/egress.ts';
import { DeliveryQueue } from '../reporters/delivery-queue.ts';
import { createPatientCalls, type PatientCallsOptions } from '../reporters/patient-calls.ts';
import { createWebhook, type Message } from '../reporters/webhook/create-webhook.ts';

export type ManualWebhookParts = Pick<PatientCallsOptions, 'sleep'> & {
  readonly config: WebhookConfig;
  readonly allows: EgressPolicy;
  /** Messages in the spelling of the API. */
  readonly render: {
    opened(command: ManualCommand): object;
    closed(command: ClosedCommand, ending: ManualEnding): object;
  };
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
};

export type OpenManualIntegration = ManualIntegration & {
  /** Gives what is not delivered yet a moment. */
  close(): Promise<void>;
};

const CLOSING_MS = 3_000;

export function createManualWebhook(parts: ManualWebhookParts): OpenManualIntegration {
  const { config, allows, render, clock, ids, log, sleep } = parts;
  const waiting = sleep === undefined ? {} : { sleep };
  const calls = createPatientCalls({ skipCertificateCheck: false, allows, ...waiting });
  const send = createWebhook(config, calls, clock);
  const queue = new DeliveryQueue<Message & { readonly command: ClosedCommand }>({
    name: 'manual-webhook',
    log,
    describe: ({ event, command: { executionId, stepId } }) => ({ event, executionId, stepId }),
    deliver: send,
  });
  return {
    opened(command) {
      queue.put({ id: ids.uuid(), event: 'manual-opened', body: render.opened(command), command });
    },
    closed(command, ending) {
      const body = render.closed(command, ending);
      queue.put({ id: ids.uuid(), event: 'manual-closed', body, command });
    },
    async close() {
      await queue.close(CLOSING_MS);
      await calls.close();
    },
  };
}
