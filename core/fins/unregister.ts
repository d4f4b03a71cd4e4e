/** Unregistering, three ways: one fin, one capability, everything (spec, Events, fin protocol). */

import type { Fin, Fins } from './fin.ts';
import type { CapabilityId, FinId } from './ids.ts';
import { applyEvent } from './transition.ts';

export type Unregistered =
  | { readonly kind: 'fin'; readonly finId: FinId }
  | { readonly kind: 'capability'; readonly capabilityId: CapabilityId }
  | { readonly kind: 'all' };

/** A stopped fin stays in the registry, to be seen, until it is purged or registers anew. */
export function unregister(fins: Fins, which: Unregistered): Fins {
  if (which.kind === 'fin') return applyEvent(fins, which.finId, 'stopped');
  if (which.kind === 'all') {
    return fins.reduce((rest, fin) => applyEvent(rest, fin.id, 'stopped'), fins);
  }
  const owner = ownerOf(fins, which.capabilityId);
  if (owner === undefined || owner.state === 'stopped') return fins;
  const capabilities = owner.capabilities.filter(({ id }) => id !== which.capabilityId);
  // The last capability is kept: the list of fins shows its name and version.
  if (capabilities.length === 0) return applyEvent(fins, owner.id, 'stopped');
  return fins.map((fin): Fin => (fin === owner ? { ...owner, capabilities } : fin));
}

export function ownerOf(fins: Fins, capabilityId: string): Fin | undefined {
  return fins.find((fin) => fin.capabilities.some(({ id }) => id === capabilityId));
}
