/**
 * Opens the gateway to the fins. It starts whether or not the broker is there, and finds it by itself.
 *
 * With a listener that is `always` on, one connection stands as long as the service. With `timer`, a
 * connection is made when a command is to be sent, and each tick of a timer takes up, under a session the
 * broker keeps, what came meanwhile. Both kinds, and all instances, may be connected at the same time:
 * they share the store, and see each other on the bus.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { nativeCapabilities } from '../../core/cacao/resolve-capability.ts';
import type { FinConfig } from '../../core/config/config.ts';
import { Refusal } from '../../core/errors/refusal.ts';
import type { FinGateway } from '../../core/fins/fin-gateway.ts';
import type { Clock, Ids } from '../../core/ports/clock.ts';
import type { FinStore } from '../../core/ports/fin-store.ts';
import type { Log, SecurityLog } from '../../core/ports/log.ts';
import { FinBus } from './fin-bus.ts';
import { FinRegistry } from './fin-registry.ts';
import { MqttFinGateway } from './mqtt-fin-gateway.ts';
import { mqttOptions, type Session, withSession } from './mqtt-options.ts';
import { type FinTiming, finTiming } from './timing.ts';

export type FinParts = {
  readonly store: FinStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly securityLog: SecurityLog;
  /** Prefixes of agent names that mean this service; no fin may offer a native capability under one. */
  readonly agentPrefixes: readonly string[];
};

/** Rejects only when the file of trusted certificates cannot be read. */
export async function openFins(
  config: FinConfig,
  parts: FinParts,
  timing: FinTiming = finTiming,
): Promise<FinGateway> {
  const { store, clock, ids, log, securityLog, agentPrefixes } = parts;
  const { serviceTopic, listener, unregisterOnShutdown } = config;
  const mqtt = await mqttOptions(config);
  const isNative = nativeNames(agentPrefixes);

  const busOf = (session: Session, registry: FinRegistry) =>
    new FinBus({
      options: withSession(mqtt, session),
      serviceTopic,
      registry,
      isNative: (id) => isNative.has(id),
      timing,
      clock,
      log,
      securityLog,
    });
  const registry = new FinRegistry(store, log);
  const senderId = `${clientName(serviceTopic)}-${ids.uuid().replaceAll('-', '').slice(0, 12)}`;
  return new MqttFinGateway({
    bus: busOf({ clientId: senderId, kept: false }, registry),
    registry,
    listener,
    serviceTopic,
    unregisterOnShutdown,
    senderId,
    timing,
    clock,
    ids,
    log,
    securityLog,
    drain: async () => {
      const own = new FinRegistry(store, log);
      // Always the same name: the broker keeps the session under it.
      const session = { clientId: `${clientName(serviceTopic)}-drain`, kept: true };
      await drain(busOf(session, own), timing.connectMs, config.listenMs);
      await own.settled();
    },
  });
}

async function drain(bus: FinBus, connectMs: number, listenMs: number): Promise<void> {
  bus.link.open();
  if (!(await bus.link.untilUp(connectMs))) {
    await bus.close();
    throw new Refusal('broker-away');
  }
  await pause(listenMs);
  await bus.drained();
}

function nativeNames(prefixes: readonly string[]): ReadonlySet<string> {
  return new Set([
    ...nativeCapabilities,
    ...prefixes.flatMap((prefix) => nativeCapabilities.map((name) => `${prefix}-${name}`)),
  ]);
}

/** MQTT 3.1.1, section 3.1.3.1: letters and digits suit every broker; hyphens all that are in use. */
function clientName(serviceTopic: string): string {
  return serviceTopic.replace(/[^A-Za-z0-9]/g, '-').slice(0, 40);
}
