/**
 * Accepting registrations: all capabilities of a message or none.
 *
 * R1  A fin that registers again replaces what it registered before, and counts as the newest.
 * R2  A capability belongs to one fin. Another fin gets it only when its owner has failed or stopped.
 * R3  Ids are topics: none may be the service topic, the name of a native capability, or a topic that
 *     another fin uses for something else.
 * R4  The same message again changes nothing and is accepted again.
 */

import type { Fin, FinCapability, Fins } from './fin.ts';
import type { Registration } from './message.ts';
import { transition } from './transition.ts';

export type RegistrationRules = {
  readonly serviceTopic: string;
  /** Whether a text names a capability of the service itself. */
  readonly isNative: (id: string) => boolean;
  readonly nowMs: number;
};

export type Registered =
  | { readonly ok: true; readonly fins: Fins; readonly repeated: boolean }
  /** `reason` is a sentence for the log. */
  | { readonly ok: false; readonly reason: string };

export function register(
  fins: Fins,
  registration: Registration,
  rules: RegistrationRules,
): Registered {
  const known = fins.find((fin) => fin.id === registration.finId);
  if (known?.messageId === registration.messageId && known.state !== 'stopped') {
    return { ok: true, fins, repeated: true };
  }
  const others = fins.filter((fin) => fin !== known);
  const reason = unusableId(registration, rules) ?? conflict(others, registration);
  if (reason !== undefined) return { ok: false, reason };
  const fin: Fin = {
    id: registration.finId,
    ...(registration.name === undefined ? {} : { name: registration.name }),
    protocolVersion: registration.protocolVersion,
    capabilities: registration.capabilities,
    state: transition(known?.state ?? 'ready', 'registered'),
    registeredMs: rules.nowMs,
    messageId: registration.messageId,
  };
  const taken = new Set<string>(fin.capabilities.map(({ id }) => id));
  return {
    ok: true,
    fins: [...others.flatMap((one) => without(one, taken)), fin],
    repeated: false,
  };
}

function unusableId(
  { finId, capabilities }: Registration,
  rules: RegistrationRules,
): string | undefined {
  if (capabilities.length === 0) return `The fin ${finId} offers no capability.`;
  const ids = capabilities.map(({ id }): string => id);
  if (new Set(ids).size < ids.length) return `The fin ${finId} offers a capability twice.`;
  if (ids.includes(finId)) return `The fin ${finId} uses its own id for a capability.`;
  if ([finId, ...ids].includes(rules.serviceTopic)) {
    return `The fin ${finId} uses the service topic as an id.`;
  }
  const native = ids.find(rules.isNative);
  return native && `The fin ${finId} offers ${native}, which is a capability of the service.`;
}

function conflict(others: Fins, { finId, capabilities }: Registration): string | undefined {
  for (const { id } of capabilities) {
    const owner = others.find((fin) => fin.capabilities.some((one) => one.id === id));
    if (owner?.state === 'ready') {
      return `The capability ${id} belongs to the fin ${owner.id}; purge that fin if it is gone.`;
    }
    if (others.some((fin) => same(fin.id, id))) return `The id ${id} is that of another fin.`;
  }
  const isCapability = others.some((fin) => fin.capabilities.some(({ id }) => same(id, finId)));
  return isCapability ? `The id ${finId} is that of a capability of another fin.` : undefined;
}

/** What is left of a fin that lost capabilities to another; nothing when it has none left. */
function without(fin: Fin, taken: ReadonlySet<string>): readonly Fin[] {
  const capabilities = fin.capabilities.filter(({ id }): boolean => !taken.has(id));
  if (capabilities.length === fin.capabilities.length) return [fin];
  return capabilities.length === 0 ? [] : [{ ...fin, capabilities }];
}

/** Ids of different kinds share one space: the topics of the bus. */
function same(one: Fin['id'] | FinCapability['id'], other: Fin['id'] | FinCapability['id']) {
  return String(one) === String(other);
}
