/** The gateway to the fins over MQTT: the registry in the store, and the bus they share. */

import { Refusal } from '../../core/errors/refusal.ts';
import type { FinDirectory } from '../../core/execution/capability-table.ts';
import type { Fin, Fins } from '../../core/fins/fin.ts';
import { finCatalogue } from '../../core/fins/fin-catalogue.ts';
import type { FinGateway, OrderAnswer } from '../../core/fins/fin-gateway.ts';
import { type FinStatus, finStatus } from '../../core/fins/fin-status.ts';
import { type Match, matchAgent } from '../../core/fins/match-agent.ts';
import type { FinOrder } from '../../core/fins/message.ts';
import { unregister } from '../../core/fins/unregister.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Clock, Ids } from '../../core/ports/clock.ts';
import type { Log, SecurityLog } from '../../core/ports/log.ts';
import { createFinCapability } from '../capabilities/fin/fin-capability.ts';
import type { Compose } from './capability-line.ts';
import { type DismissParts, dismissAll, dismissFin } from './dismiss.ts';
import type { FinBus } from './fin-bus.ts';
import type { FinRegistry } from './fin-registry.ts';
import { giveOrder } from './give-order.ts';
import { Presence } from './presence.ts';
import type { Ending } from './sent-command.ts';
import type { FinTiming } from './timing.ts';

export type GatewayParts = {
  readonly bus: FinBus;
  readonly registry: FinRegistry;
  readonly listener: 'always' | 'timer';
  readonly serviceTopic: string;
  readonly unregisterOnShutdown: boolean;
  /** How this instance calls itself in what it sends. */
  readonly senderId: string;
  readonly timing: FinTiming;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly securityLog: SecurityLog;
  /** One tick of the timer, on a connection of its own. */
  drain(): Promise<void>;
};

export class MqttFinGateway implements FinGateway {
  readonly directory: FinDirectory;
  readonly #parts: GatewayParts;
  readonly #presence: Presence;

  constructor(parts: GatewayParts) {
    const { bus, registry, listener, timing } = parts;
    this.#parts = parts;
    this.#presence = new Presence(bus.link, listener === 'always' ? undefined : timing.idleMs);
    const { clock, ids, senderId } = parts;
    const perform = (...work: Parameters<typeof this.perform>) => this.perform(...work);
    this.directory = {
      find: async (key, { name }) => {
        const match = matchAgent(await registry.read(), { key, name });
        return match && createFinCapability({ clock, ids, senderId, perform }, match);
      },
    };
  }

  async perform(match: Match, compose: Compose, signal: AbortSignal): Promise<Ending> {
    const { bus, registry, log } = this.#parts;
    const { fin, capability } = match;
    const ending = await this.#presence.during(() => bus.perform(capability.id, compose, signal));
    if (ending.kind === 'silent' || ending.kind === 'refused') {
      log.warning('fin.command-failed', { fin: fin.id, capability: capability.id, ending });
      registry.note(fin.id, ending.kind);
    }
    return ending;
  }

  async status(): Promise<readonly FinStatus[]> {
    const fins = await this.#parts.registry.read();
    return fins.map((fin) => finStatus(fin, (id) => this.#parts.bus.isWorking(id)));
  }

  async catalogue(): Promise<readonly JsonObject[]> {
    return finCatalogue(await this.#parts.registry.read());
  }

  async order(id: string, order: FinOrder): Promise<readonly OrderAnswer[] | undefined> {
    const { bus, registry, ids, timing } = this.#parts;
    const fin = (await registry.read()).find((one) => one.id === id);
    if (fin === undefined) return undefined;
    return this.#presence.during(async () => {
      if (!(await bus.link.untilUp(timing.connectMs))) throw new Refusal('broker-away');
      await bus.listenTo(fin);
      const parts = { bus, ids, answerMs: timing.answerMs };
      const answers = await Promise.all(
        fin.capabilities.map((capability) => giveOrder(parts, fin, capability, order)),
      );
      if (order === 'stop') await this.#stopped(fin, answers);
      return answers;
    });
  }

  async purge(id: string, caller?: string): Promise<boolean> {
    const { registry } = this.#parts;
    const fin = await registry.change((fins): readonly [Fins, Fin | undefined] => {
      const known = fins.find((one) => one.id === id);
      return [known === undefined ? fins : fins.filter((one) => one !== known), known];
    });
    if (fin === undefined) return false;
    await this.#dismiss([fin], caller, (parts) => dismissFin(parts, fin));
    return true;
  }

  async purgeAll(caller?: string): Promise<number> {
    const fins = await this.#parts.registry.change((all): readonly [Fins, Fins] => [[], all]);
    await this.#dismiss(fins, caller, dismissAll);
    return fins.length;
  }

  async ping(): Promise<void> {
    const { bus, listener } = this.#parts;
    const patienceMs = listener === 'always' ? STANDING_PATIENCE_MS : CONNECTING_PATIENCE_MS;
    const isUp = await this.#presence.during(() => bus.link.untilUp(patienceMs));
    if (!isUp) throw new Refusal('broker-away');
  }

  async drain(): Promise<void> {
    if (this.#parts.listener === 'timer') await this.#parts.drain();
  }

  async close(): Promise<void> {
    const { bus, registry, unregisterOnShutdown, log } = this.#parts;
    this.#presence.end();
    if (unregisterOnShutdown && bus.link.isUp) {
      await dismissAll(this.#dismissParts(SHUTDOWN_PATIENCE_MS));
      await registry
        .change((fins) => [unregister(fins, { kind: 'all' }), undefined])
        .catch((error: unknown) => log.warning('fin.state-not-kept', { error }));
    }
    await bus.close();
    await registry.settled();
  }

  async #dismiss(
    fins: Fins,
    caller: string | undefined,
    dismiss: (parts: DismissParts) => Promise<boolean>,
  ): Promise<void> {
    const { bus, timing, log, securityLog } = this.#parts;
    const ids = fins.map(({ id }) => id);
    securityLog.record('fin_purged', { fins: ids, caller });
    await this.#presence.during(async () => {
      await bus.link.untilUp(timing.connectMs);
      const acknowledged = await dismiss(this.#dismissParts(timing.answerMs));
      log.info('fin.purged', { fins: ids, acknowledged });
    });
  }

  #dismissParts(answerMs: number): DismissParts {
    const { bus, ids, serviceTopic } = this.#parts;
    return { bus, ids, serviceTopic, answerMs };
  }

  async #stopped(fin: Fin, answers: readonly OrderAnswer[]): Promise<void> {
    const stopped = answers.filter(({ answer }) => answer === 'acknowledged');
    await this.#parts.registry.change((fins) => [
      stopped.reduce(
        (rest, { capability }) =>
          unregister(rest, { kind: 'capability', capabilityId: capability }),
        fins,
      ),
      undefined,
    ]);
    this.#parts.log.info('fin.stopped', { fin: fin.id, answers });
  }
}

/** A standing connection that is just being made again is no reason for alarm. */
const STANDING_PATIENCE_MS = 1_000;
const CONNECTING_PATIENCE_MS = 5_000;
const SHUTDOWN_PATIENCE_MS = 1_000;
