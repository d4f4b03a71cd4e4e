/**
 * Takes what fins say on the service topic. Whichever instance makes the change in the store answers at
 * once; the others see that it is made, and answer only if nobody was heard to.
 */

import type { Fin } from '../../core/fins/fin.ts';
import type { Answer, Registration, Unregistration } from '../../core/fins/message.ts';
import { register } from '../../core/fins/register.ts';
import { ownerOf, unregister } from '../../core/fins/unregister.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log, SecurityLog } from '../../core/ports/log.ts';
import type { FinRegistry } from './fin-registry.ts';
import { Recent } from './recent.ts';

type Give = (topic: string, type: Answer['type'], messageId: string) => void;

export type RegistrationParts = {
  readonly serviceTopic: string;
  readonly registry: FinRegistry;
  readonly clock: Clock;
  readonly log: Log;
  readonly securityLog: SecurityLog;
  /** Whether a text names a capability of the service itself. */
  readonly isNative: (id: string) => boolean;
  readonly answer: Give;
  /** Answers later, if nobody else does. */
  readonly owe: Give;
  /** The fin has begun anew; called before it is answered. */
  readonly restarted: (fin: Fin) => void;
  /** Hears what others answer on a topic. */
  readonly listenTo: (topic: string) => void;
};

/** Much less than the 30 s after which fins repeat themselves, and more than clocks differ. */
const FRESH_MS = 10_000;

export class Registrations {
  readonly #parts: RegistrationParts;
  /** Messages whose change was made here. */
  readonly #made = new Recent();

  constructor(parts: RegistrationParts) {
    this.#parts = parts;
  }

  /** Never rejects: what could not be kept is not answered, and the fin says it again. */
  async register(message: Registration): Promise<void> {
    const { registry, log, securityLog, serviceTopic, isNative, clock } = this.#parts;
    const { finId, messageId } = message;
    const rules = { serviceTopic, isNative, nowMs: clock.now() };
    try {
      const outcome = await registry.change((fins) => {
        const registered = register(fins, message, rules);
        return [registered.ok ? registered.fins : fins, registered];
      });
      if (!outcome.ok) {
        log.warning('fin.refused', { fin: finId, reason: outcome.reason });
        this.#parts.answer(finId, 'nack', messageId);
        return;
      }
      const fin = outcome.fins.find(({ id }) => id === finId);
      if (fin !== undefined) this.#parts.restarted(fin);
      if (!outcome.repeated) {
        const capabilities = message.capabilities.map(({ id }) => id);
        securityLog.record('fin_registered', { fin: finId, capabilities });
      }
      // Whoever has just kept the registration is about to answer it.
      const isFresh = fin !== undefined && rules.nowMs - fin.registeredMs < FRESH_MS;
      const isForeign = outcome.repeated && !this.#made.has(messageId);
      if (!(isFresh && isForeign)) this.#give(!outcome.repeated, finId, messageId);
    } catch (error) {
      log.error('fin.registration-not-kept', { fin: finId, error });
    }
  }

  /** Never rejects. */
  async unregister({ messageId, which }: Unregistration): Promise<void> {
    const { registry, log } = this.#parts;
    try {
      const { owner, changed } = await registry.change((fins) => {
        const after = unregister(fins, which);
        const finOf = which.kind === 'capability' ? ownerOf(fins, which.capabilityId) : undefined;
        return [after, { owner: finOf, changed: after !== fins }];
      });
      if (changed) log.info('fin.unregistered', { which });
      const topic = which.kind === 'fin' ? which.finId : owner?.id;
      // Whoever unregisters everything has no topic; a capability nobody offers is already gone.
      if (topic === undefined) return;
      this.#parts.listenTo(topic);
      this.#give(changed, topic, messageId);
    } catch (error) {
      log.error('fin.unregistration-not-kept', { which, error });
    }
  }

  #give(isMade: boolean, topic: string, messageId: string): void {
    if (isMade) this.#made.add(messageId);
    if (this.#made.has(messageId)) this.#parts.answer(topic, 'ack', messageId);
    else this.#parts.owe(topic, 'ack', messageId);
  }
}
