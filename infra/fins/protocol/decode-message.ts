/**
 * From bytes on the bus to a message of the fin protocol. Strict where a message could not be acted on
 * without guessing, lenient in what real fins leave out, spell differently or set to null.
 */

import { isNestedTooDeep } from '../../../core/cacao/json-shape.ts';
import { type FinId, parseCapabilityId, parseFinId } from '../../../core/fins/ids.ts';
import { type FinMessage, finOrders } from '../../../core/fins/message.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts';
import { decodeRegistration } from './decode-registration.ts';
import { decodeResult, decodeWork } from './decode-result.ts';
import { Malformed, memberOf, objectIn, textIn } from './members.ts';

export type Decoded =
  | { readonly ok: true; readonly message: FinMessage }
  /** `reason` is a sentence for the log; the rest, as far as readable, tells whom to refuse what. */
  | {
      readonly ok: false;
      readonly reason: string;
      readonly type?: string;
      readonly messageId?: string;
      readonly finId?: FinId;
    };

const LARGEST_BYTES = 16 * 1024 * 1024;

export function decodeMessage(payload: Uint8Array): Decoded {
  if (payload.byteLength > LARGEST_BYTES) return bad('The message is larger than 16 MiB.');
  let json: JsonValue;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
  } catch {
    return bad('The message is not JSON in UTF-8.');
  }
  if (!isJsonObject(json)) return bad('The message is not an object.');
  try {
    if (isNestedTooDeep(json)) throw new Malformed('The message is nested too deep.');
    return { ok: true, message: decode(json) };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return { ...bad(error.message), ...senderOf(json) };
  }
}

function bad(reason: string): Decoded & { readonly ok: false } {
  return { ok: false, reason };
}

function senderOf(json: JsonObject) {
  const { type, message_id: messageId, fin_id: fin } = json;
  const finId = typeof fin === 'string' ? parseFinId(fin) : undefined;
  return {
    ...(typeof type === 'string' ? { type } : {}),
    ...(typeof messageId === 'string' && messageId !== '' ? { messageId } : {}),
    ...(finId === undefined ? {} : { finId }),
  };
}

function decode(json: JsonObject): FinMessage {
  const type = textIn(json, 'type');
  const messageId = textIn(json, 'message_id');
  switch (type) {
    case 'ack':
    case 'nack':
      return { type, messageId };
    case 'register':
      return decodeRegistration(json, messageId);
    case 'unregister':
      return { type, messageId, which: whichOf(json) };
    case 'command': {
      const command = objectIn(json, 'command');
      const seconds = memberOf(objectIn(command, 'context'), 'timeout');
      const timeoutMs = typeof seconds === 'number' ? seconds * 1_000 : undefined;
      return { type, messageId, work: decodeWork(command), timeoutMs };
    }
    case 'result':
      return decodeResult(json, messageId);
    case 'status':
      return {
        type,
        messageId,
        capabilityId: capabilityIn(json),
        progress: textIn(json, 'progress'),
      };
    default: {
      const order = finOrders.find((one) => one === type);
      if (order === undefined) throw new Malformed(`There are no messages of the type ${type}.`);
      return { type: order, messageId, capabilityId: capabilityIn(json) };
    }
  }
}

/** One selector is meant; the widest counts when a message holds several. */
function whichOf(json: JsonObject): (FinMessage & { readonly type: 'unregister' })['which'] {
  const { all, fin_id: fin, capability_id: capability } = json;
  if (all === true || (typeof all === 'string' && all.toLowerCase() === 'true')) {
    return { kind: 'all' };
  }
  if (typeof fin === 'string' && fin !== '') {
    const finId = parseFinId(fin);
    if (finId === undefined) throw new Malformed('The member fin_id cannot be a topic.');
    return { kind: 'fin', finId };
  }
  if (typeof capability === 'string' && capability !== '') {
    return { kind: 'capability', capabilityId: capabilityIn(json) };
  }
  throw new Malformed('The message names neither a fin nor a capability, nor all.');
}

function capabilityIn(json: JsonObject) {
  const id = parseCapabilityId(textIn(json, 'capability_id'));
  if (id === undefined) throw new Malformed('The member capability_id cannot be a topic.');
  return id;
}
