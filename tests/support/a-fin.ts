/** A plausible fin with one capability; each test names only what it is about. */

import type { Fin, FinCapability } from '../../core/fins/fin.ts';
import {
  type CapabilityId,
  type FinId,
  parseCapabilityId,
  parseFinId,
} from '../../core/fins/ids.ts';

export function finId(text: string): FinId {
  const id = parseFinId(text);
  if (id === undefined) throw new Error(`${text} is no fin id`);
  return id;
}

export function capabilityId(text: string): CapabilityId {
  const id = parseCapabilityId(text);
  if (id === undefined) throw new Error(`${text} is no capability id`);
  return id;
}

export function aCapability(id: string, more: Partial<FinCapability> = {}): FinCapability {
  return {
    id: capabilityId(id),
    name: `capability ${id}`,
    version: '1.0.0',
    agents: { [`key-of-${id}`]: { type: 'svc-fin', name: `agent-of-${id}` } },
    examples: {},
    ...more,
  };
}

/** The fin `fin-<name>` with the capability `cap-<name>`. */
export function aFin(name: string, more: Partial<Fin> = {}): Fin {
  return {
    id: finId(`fin-${name}`),
    protocolVersion: '0.0.1',
    capabilities: [aCapability(`cap-${name}`)],
    state: 'ready',
    registeredMs: 1_000,
    messageId: `message-of-${name}`,
    ...more,
  };
}
