/** The fins as the rest of the product sees them: found for agents, shown, ordered about and purged. */

import type { FinDirectory } from '../execution/capability-table.ts';
import type { JsonObject } from '../json.ts';
import type { FinStatus } from './fin-status.ts';
import type { CapabilityId } from './ids.ts';
import type { FinOrder } from './message.ts';

/** What a fin made of an order; `silent` when it did not answer, as many do not know orders. */
export type OrderAnswer = {
  readonly capability: CapabilityId;
  readonly answer: 'acknowledged' | 'refused' | 'silent';
  /** What it said of its progress, if it did: ready, working, paused or stopped. */
  readonly progress?: string;
};

export interface FinGateway {
  readonly directory: FinDirectory;
  /** Every fin that registered and was not purged, in the order of registration. */
  status(): Promise<readonly FinStatus[]>;
  /** Entries for the step catalogue. */
  catalogue(): Promise<readonly JsonObject[]>;
  /**
   * Tells all capabilities of a fin, and waits up to 10 s for their answers; undefined when there is no
   * such fin. Rejects with `broker-away`.
   */
  order(id: string, order: FinOrder): Promise<readonly OrderAnswer[] | undefined>;
  /**
   * Tells the fin to stop, waits up to 10 s for an answer, and forgets it whatever it answers. False when
   * there is no such fin. `caller` is for the security log.
   */
  purge(id: string, caller?: string): Promise<boolean>;
  /** The same for all fins, those unknown to the service included; answers how many it forgot. */
  purgeAll(caller?: string): Promise<number>;
  /** Resolves when the broker can be reached; rejects with the refusal `broker-away` otherwise. */
  ping(): Promise<void>;
  /**
   * One tick of the timer of a service without a standing connection: takes up what the broker has kept,
   * and listens for a while. Rejects with `broker-away`.
   */
  drain(): Promise<void>;
  close(): Promise<void>;
}
