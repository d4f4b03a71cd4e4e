/** A fin as the service remembers it: what it registered, and what is known of its state. */

import type { JsonObject } from '../json.ts';
import type { CapabilityId, FinId } from './ids.ts';

/** What is remembered of a fin's state; `running` is only seen, see fin-status.ts. */
export const finStates = ['ready', 'failed', 'stopped'] as const;
export type FinState = (typeof finStates)[number];

/** The registry is a list of fins in the order of their registration, the newest last. */
export type Fins = readonly Fin[];

export type Fin = {
  readonly id: FinId;
  /** Absent for most fins: the usual library sends none. */
  readonly name?: string;
  readonly protocolVersion: string;
  readonly capabilities: readonly FinCapability[];
  readonly state: FinState;
  readonly registeredMs: number;
  /** Of the registration message: a repeated one is known by it. */
  readonly messageId: string;
};

export type FinCapability = {
  readonly id: CapabilityId;
  readonly name: string;
  readonly version: string;
  /** The agents playbooks may name, by the key each has in the registration. */
  readonly agents: { readonly [key: string]: { readonly type: string; readonly name: string } };
  /** Example steps for the catalogue, by key, as the fin sent them. */
  readonly examples: { readonly [key: string]: JsonObject };
};
