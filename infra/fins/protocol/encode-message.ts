/** The short messages the service sends, as their text on the wire. */

import type { Answer, FinOrder } from '../../../core/fins/message.ts';
import type { Unregistered } from '../../../core/fins/unregister.ts';

export function encodeAnswer(type: Answer['type'], messageId: string): string {
  return JSON.stringify({ type, message_id: messageId });
}

export function encodeUnregistration(messageId: string, which: Unregistered): string {
  return JSON.stringify({
    type: 'unregister',
    message_id: messageId,
    capability_id: which.kind === 'capability' ? which.capabilityId : null,
    fin_id: which.kind === 'fin' ? which.finId : null,
    all: which.kind === 'all',
  });
}

export function encodeOrder(order: FinOrder, messageId: string, capabilityId: string): string {
  return JSON.stringify({ type: order, message_id: messageId, capability_id: capabilityId });
}
