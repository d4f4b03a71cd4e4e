/**
 * The messages of the fin protocol as the service understands them (spec, Events, fin protocol). The wire
 * spelling lives in infra/fins.
 */

import type { FinCapability } from './fin.ts';
import type { CapabilityId, FinId } from './ids.ts';
import type { Unregistered } from './unregister.ts';

/** Every message has an id; an answer carries the id of what it answers. */
type Message<Type extends string> = { readonly type: Type; readonly messageId: string };

export type Answer = Message<'ack' | 'nack'>;

export type Registration = Message<'register'> & {
  readonly finId: FinId;
  readonly name?: string;
  readonly protocolVersion: string;
  readonly capabilities: readonly FinCapability[];
};

export type Unregistration = Message<'unregister'> & { readonly which: Unregistered };

/**
 * What a result says of the command it belongs to. It does not carry the command's message id: the work
 * and, where a fin echoes it, the time at which the command was generated tell commands apart.
 */
export type Work = {
  readonly executionId: string;
  readonly stepId: string;
  /** Microseconds since the epoch: instances may send in the same millisecond. */
  readonly generatedUs: number | undefined;
};

/** A command as it is seen on the bus, sent by another instance of the service. */
export type SeenCommand = Message<'command'> & {
  readonly work: Work;
  readonly timeoutMs: number | undefined;
};

export type FinResult = Message<'result'> & {
  readonly work: Work;
  readonly success: boolean;
  /** The state as the fin wrote it. */
  readonly state: string;
  readonly values: { readonly [name: string]: string };
};

export const finOrders = ['pause', 'resume', 'stop', 'progress'] as const;
/** `progress` asks how the capability is doing. */
export type FinOrder = (typeof finOrders)[number];

export type Order = Message<FinOrder> & { readonly capabilityId: CapabilityId };

/** `progress` is one of ready, working, paused, stopped; other words are passed on. */
export type ProgressReport = Message<'status'> & {
  readonly capabilityId: CapabilityId;
  readonly progress: string;
};

export type FinMessage =
  | Answer
  | Registration
  | Unregistration
  | SeenCommand
  | FinResult
  | Order
  | ProgressReport;
