/** Sends JSON to one URL, signed when there is a secret. Told at least once: repeats carry the same id. */

import type { WebhookConfig } from '../../../core/config/config.ts';
import type { Clock } from '../../../core/ports/clock.ts';
import type { PatientCalls } from '../patient-calls.ts';
import { sign, signatureHeader } from './signature.ts';

export type Message = {
  /** The same for every attempt, so that a receiver can tell a repetition. */
  readonly id: string;
  /** Name of the event, for receivers that sort by it. */
  readonly event: string;
  readonly body: object;
};

/** Rejects with CallFailed, or with the signal's reason. */
export type Webhook = (message: Message, signal: AbortSignal) => Promise<void>;

export function createWebhook(config: WebhookConfig, calls: PatientCalls, clock: Clock): Webhook {
  const url = new URL(config.url);
  return async ({ id, event, body: content }, signal) => {
    const body = Buffer.from(JSON.stringify(content), 'utf8');
    const signature = () =>
      config.secret === undefined
        ? []
        : [[signatureHeader, sign(body, config.secret, clock.now())] as const];
    const make = () => ({
      url,
      method: 'POST',
      headers: [
        ['Content-Type', 'application/json'],
        ['User-Agent', 'theobroma'],
        ['X-Theobroma-Event', event],
        ['X-Theobroma-Delivery', id],
        ...signature(),
      ] as const,
      body,
    });
    await calls.call(make, signal);
  };
}
