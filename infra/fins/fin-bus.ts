/**
 * One connection to the bus with all that is heard on it: it takes every message to whom it concerns. A
 * message that cannot be understood is logged, refused where the protocol has an answer for it, and done.
 */

import type { FinConfig } from '../../core/config/config.ts';
import type { Fin } from '../../core/fins/fin.ts';
import type { CapabilityId } from '../../core/fins/ids.ts';
import type { Answer, FinMessage } from '../../core/fins/message.ts';
import { ownerOf } from '../../core/fins/unregister.ts';
import type { Log } from '../../core/ports/log.ts';
import { CapabilityLine, type Compose } from './capability-line.ts';
import { answerKey, ExpectedAnswers, statusKey } from './expected-answers.ts';
import type { FinRegistry } from './fin-registry.ts';
import { type LinkParts, MqttLink } from './mqtt-link.ts';
import { OwedAnswers } from './owed-answers.ts';
import { type Decoded, decodeMessage } from './protocol/decode-message.ts';
import { encodeAnswer } from './protocol/encode-message.ts';
import { Recent } from './recent.ts';
import { type RegistrationParts, Registrations } from './registrations.ts';
import type { Ending } from './sent-command.ts';
import type { FinTiming } from './timing.ts';

export type BusParts = Pick<LinkParts, 'options' | 'log'> &
  Pick<RegistrationParts, 'clock' | 'securityLog' | 'isNative'> & {
    readonly serviceTopic: FinConfig['serviceTopic'];
    readonly registry: FinRegistry;
    readonly timing: FinTiming;
  };

export class FinBus {
  readonly link: MqttLink;
  readonly expected = new ExpectedAnswers();
  readonly #parts: BusParts;
  readonly #lines = new Map<string, CapabilityLine>();
  readonly #owed: OwedAnswers;
  readonly #registrations: Registrations;
  /** Messages of this bus that others might send, too: brokers may give them back. */
  readonly #own = new Recent();
  readonly #log: Log;

  constructor(parts: BusParts) {
    const { options, timing, log } = parts;
    this.#parts = parts;
    this.#log = log;
    this.link = new MqttLink({
      options,
      timing,
      log,
      topics: () => this.#topics(),
      receive: (topic, payload) => this.#receive(topic, payload),
      down: () => this.#disconnected(),
    });
    this.#owed = new OwedAnswers((...answer) => this.#answer(...answer), timing.graceMs);
    this.#registrations = new Registrations({
      ...parts,
      answer: (...answer) => this.#answer(...answer),
      owe: (...answer) => this.#owed.owe(...answer),
      restarted: (fin) => {
        for (const { id } of fin.capabilities) this.#lines.get(id)?.restarted();
        // Not waited for: the answer, sent later, cannot overtake it.
        void this.#subscribe(topicsOf(fin));
      },
      listenTo: (topic) => void this.#subscribe([topic]),
    });
  }

  isWorking(capability: CapabilityId): boolean {
    return this.#lines.get(capability)?.isWorking ?? false;
  }

  perform(capability: CapabilityId, compose: Compose, signal: AbortSignal): Promise<Ending> {
    return this.#lineOf(capability).perform(compose, signal);
  }

  /** Sends a message that asks for an answer; false when the broker is away. */
  ask(topic: string, messageId: string, text: string): boolean {
    this.#own.add(messageId);
    return this.link.publish(topic, text);
  }

  /** Hears what the fin and its capabilities say; another instance may have taken the registration. */
  async listenTo(fin: Fin): Promise<void> {
    await this.#subscribe(topicsOf(fin));
  }

  /** Waits until nothing is owed to anybody, then disconnects. */
  async drained(): Promise<void> {
    await this.#owed.idle();
    await this.close();
  }

  async close(): Promise<void> {
    this.#owed.forget();
    await this.link.close();
  }

  async #topics(): Promise<readonly string[]> {
    const { registry, serviceTopic } = this.#parts;
    const fins = await registry.read().catch((error: unknown) => {
      this.#log.warning('fin.registry-unread', { error });
      return registry.known;
    });
    return [serviceTopic, ...fins.flatMap(topicsOf)];
  }

  async #receive(topic: string, payload: Uint8Array): Promise<void> {
    const decoded = decodeMessage(payload);
    if (!decoded.ok) {
      this.#refuse(topic, decoded);
      return;
    }
    const { message } = decoded;
    if (topic !== this.#parts.serviceTopic) this.#receiveFromFin(topic, message);
    else if (message.type === 'register') await this.#registrations.register(message);
    else if (message.type === 'unregister') {
      if (!this.#own.has(message.messageId)) await this.#registrations.unregister(message);
    } else if (message.type === 'ack' || message.type === 'nack') {
      this.#receiveAnswer(topic, message);
    } else this.#log.warning('fin.message-misplaced', { topic, type: message.type });
  }

  #receiveFromFin(topic: string, message: FinMessage): void {
    switch (message.type) {
      case 'ack':
      case 'nack':
        this.#receiveAnswer(topic, message);
        break;
      case 'command':
        this.#lineOf(topic).receiveCommand(message);
        break;
      case 'result':
        this.#lineOf(topic).receiveResult(message);
        this.#heard(topic);
        break;
      case 'status':
        this.expected.heard(statusKey(topic, message.capabilityId), message.progress);
        this.#heard(message.capabilityId);
        break;
      case 'register':
      case 'unregister':
        this.#log.warning('fin.message-misplaced', { topic, type: message.type });
        break;
      // Orders are given by the service: by another of its instances.
      case 'pause':
      case 'resume':
      case 'stop':
      case 'progress':
        break;
    }
  }

  #receiveAnswer(topic: string, { type, messageId }: Answer): void {
    this.#owed.settled(messageId);
    this.expected.heard(answerKey(topic, type, messageId));
    const isFromFin = this.#lines.get(topic)?.receiveAnswer(type, messageId) ?? false;
    if (isFromFin && type === 'ack') this.#heard(topic);
  }

  #refuse(topic: string, { reason, type, messageId, finId }: Decoded & { ok: false }): void {
    this.#log.warning('fin.message-bad', { topic, reason, type, messageId });
    if (messageId === undefined) return;
    const { serviceTopic } = this.#parts;
    if (topic === serviceTopic && (type === 'register' || type === 'unregister')) {
      this.#answer(finId ?? serviceTopic, 'nack', messageId);
    }
    // All instances read the same: one refusal is enough, and a fin repeats what is refused.
    if (topic !== serviceTopic && type === 'result') this.#owed.owe(topic, 'nack', messageId);
  }

  #answer(topic: string, type: Answer['type'], messageId: string): void {
    this.link.publish(topic, encodeAnswer(type, messageId));
  }

  #heard(capability: string): void {
    const owner = ownerOf(this.#parts.registry.known, capability);
    if (owner !== undefined) this.#parts.registry.note(owner.id, 'heard');
  }

  #disconnected(): void {
    const { registry } = this.#parts;
    for (const [capability, line] of this.#lines) {
      const owner = line.disconnected() ? ownerOf(registry.known, capability) : undefined;
      if (owner !== undefined) registry.note(owner.id, 'cut-off');
    }
  }

  #subscribe(topics: readonly string[]): Promise<void> {
    return this.link
      .subscribe(topics)
      .catch((error: unknown) => this.#log.error('fin.topic-refused', { topics, error }));
  }

  #lineOf(topic: string): CapabilityLine {
    const known = this.#lines.get(topic);
    if (known !== undefined) return known;
    const line = new CapabilityLine({
      timing: this.#parts.timing,
      connect: async (signal) => {
        const isUp = await this.link.untilUp(this.#parts.timing.connectMs, signal);
        // Another instance may have taken the registration.
        if (isUp) await this.#subscribe([topic]);
        return this.link.isUp && !signal.aborted;
      },
      publish: (text) => this.link.publish(topic, text),
      acknowledge: (messageId) => this.#answer(topic, 'ack', messageId),
      owe: (messageId) => this.#owed.owe(topic, 'ack', messageId),
    });
    this.#lines.set(topic, line);
    return line;
  }
}

function topicsOf(fin: Fin): readonly string[] {
  return [fin.id, ...fin.capabilities.map(({ id }) => id)];
}
