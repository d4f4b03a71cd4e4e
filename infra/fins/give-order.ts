/** Orders to a fin's capabilities: pause, resume, stop, and the question how they are doing. */

import type { Fin, FinCapability } from '../../core/fins/fin.ts';
import type { OrderAnswer } from '../../core/fins/fin-gateway.ts';
import type { FinOrder } from '../../core/fins/message.ts';
import type { Ids } from '../../core/ports/clock.ts';
import { answerKey, statusKey } from './expected-answers.ts';
import type { FinBus } from './fin-bus.ts';
import { encodeOrder } from './protocol/encode-message.ts';

export type OrderParts = {
  readonly bus: FinBus;
  readonly ids: Ids;
  /** How long to wait for an answer. */
  readonly answerMs: number;
};

export async function giveOrder(
  { bus, ids, answerMs }: OrderParts,
  fin: Fin,
  capability: FinCapability,
  order: FinOrder,
): Promise<OrderAnswer> {
  const messageId = ids.uuid();
  const status = statusKey(fin.id, capability.id);
  const refused = answerKey(fin.id, 'nack', messageId);
  const acknowledged = answerKey(fin.id, 'ack', messageId);
  // A question is answered by a status only, an order by whichever comes first.
  const keys = order === 'progress' ? [status, refused] : [status, refused, acknowledged];
  const answered = bus.expected.expect(keys, answerMs);
  bus.ask(fin.id, messageId, encodeOrder(order, messageId, capability.id));
  const heard = await answered;
  if (heard === undefined) return { capability: capability.id, answer: 'silent' };
  if (heard.key === refused) return { capability: capability.id, answer: 'refused' };
  return {
    capability: capability.id,
    answer: 'acknowledged',
    ...(heard.key === status ? { progress: heard.detail } : {}),
  };
}
