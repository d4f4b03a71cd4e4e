/** Registrations. Fins spell their name three ways or send none; maps may be single objects. */

import type { FinCapability } from '../../../core/fins/fin.ts';
import { parseCapabilityId, parseFinId } from '../../../core/fins/ids.ts';
import type { Registration } from '../../../core/fins/message.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts';
import { anyTextIn, Malformed, memberOf, textIn } from './members.ts';

export function decodeRegistration(json: JsonObject, messageId: string): Registration {
  const finId = parseFinId(textIn(json, 'fin_id'));
  if (finId === undefined) throw new Malformed('The member fin_id cannot be a topic.');
  const capabilities = memberOf(json, 'capabilities');
  if (!Array.isArray(capabilities)) throw new Malformed('The member capabilities is no list.');
  const name = ['fin_name', 'name', 'Name'].map((key) => anyTextIn(json, key)).find(Boolean);
  return {
    type: 'register',
    messageId,
    finId,
    ...(name === undefined ? {} : { name }),
    protocolVersion: anyTextIn(json, 'protocol_version'),
    capabilities: capabilities.map(decodeCapability),
  };
}

function decodeCapability(json: JsonValue): FinCapability {
  if (!isJsonObject(json)) throw new Malformed('A capability is no object.');
  const id = parseCapabilityId(textIn(json, 'capability_id'));
  if (id === undefined) throw new Malformed('The member capability_id cannot be a topic.');
  return {
    id,
    name: anyTextIn(json, 'name') || id,
    version: anyTextIn(json, 'version'),
    agents: agentsIn(json),
    examples: Object.fromEntries(entriesOf(memberOf(json, 'step'), 'example')),
  };
}

function agentsIn(json: JsonObject): FinCapability['agents'] {
  return Object.fromEntries(
    entriesOf(memberOf(json, 'agent'), 'agent').map(([key, agent]) => [
      key,
      { type: anyTextIn(agent, 'type'), name: anyTextIn(agent, 'name') },
    ]),
  );
}

/** A map of objects, or a single object, which is known by its text members. */
function entriesOf(
  value: JsonValue | undefined,
  singleKey: string,
): readonly (readonly [string, JsonObject])[] {
  if (!isJsonObject(value)) return [];
  if (typeof value['type'] === 'string' || typeof value['name'] === 'string') {
    return [[singleKey, value]];
  }
  return Object.entries(value).flatMap(([key, member]) =>
    isJsonObject(member) ? [[key, member] as const] : [],
  );
}
