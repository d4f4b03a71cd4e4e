/**
 * Telling fins to stop. The usual library obeys an unregistration of a capability or of all, but not one of
 * its own fin id, and acknowledges all it hears; so a fin is told by its id and by its capabilities.
 */

import type { Fin } from '../../core/fins/fin.ts';
import type { Unregistered } from '../../core/fins/unregister.ts';
import type { Ids } from '../../core/ports/clock.ts';
import { answerKey } from './expected-answers.ts';
import type { FinBus } from './fin-bus.ts';
import { encodeUnregistration } from './protocol/encode-message.ts';

export type DismissParts = {
  readonly bus: FinBus;
  readonly ids: Ids;
  readonly serviceTopic: string;
  /** How long to wait for an answer. */
  readonly answerMs: number;
};

/** Answers whether anybody acknowledged; nobody does while the broker is away. */
export function dismissFin(parts: DismissParts, fin: Fin): Promise<boolean> {
  return dismiss(parts, [
    { kind: 'fin', finId: fin.id },
    ...fin.capabilities.map(({ id }) => ({ kind: 'capability', capabilityId: id }) as const),
  ]);
}

export function dismissAll(parts: DismissParts): Promise<boolean> {
  return dismiss(parts, [{ kind: 'all' }]);
}

async function dismiss(parts: DismissParts, selectors: readonly Unregistered[]): Promise<boolean> {
  const { bus, ids, serviceTopic, answerMs } = parts;
  const messages = selectors.map((which) => ({ which, messageId: ids.uuid() }));
  const keys = messages.map(({ messageId }) => answerKey(serviceTopic, 'ack', messageId));
  const answered = bus.expected.expect(keys, bus.link.isUp ? answerMs : 0);
  for (const { which, messageId } of messages) {
    bus.ask(serviceTopic, messageId, encodeUnregistration(messageId, which));
  }
  return (await answered) !== undefined;
}
