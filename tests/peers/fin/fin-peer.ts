/**
 * A fin written to the letter of the protocol, with the habits of the usual library: MQTT 5 without its own
 * messages, everything published with QoS 0, one command at a time, acknowledged right before it is carried
 * out, and a result repeated until it is acknowledged.
 */

import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import { connectAsync, type MqttClient } from 'mqtt';
import { type PeerCommand, readCommand } from './strict-command.ts';

type Json = { readonly [key: string]: unknown };

export type PeerResult = { readonly state: string; readonly variables?: Json };

export type FinPeerOptions = {
  readonly port: number;
  readonly finId: string;
  readonly capabilityId: string;
  readonly serviceTopic?: string;
  /** Members of the registered capability beside its id. */
  readonly capability?: Json;
  readonly perform?: (command: PeerCommand, fin: FinPeer) => PeerResult | Promise<PeerResult>;
  /** Refuses commands. */
  readonly refuses?: boolean;
  /** Neither acknowledges commands nor carries them out. */
  readonly deaf?: boolean;
  /** Answers orders, which the usual library does not know. */
  readonly obeys?: boolean;
  /** How long it waits for an answer before it repeats a message. */
  readonly repeatMs?: number;
};

export type Heard = { readonly topic: string; readonly message: Json };

export class FinPeer {
  readonly options: FinPeerOptions;
  /** Every message heard, in order. */
  readonly heard: Heard[] = [];
  /** Commands as they came, and as they were begun. */
  readonly commands: PeerCommand[] = [];
  readonly begun: PeerCommand[] = [];
  /** What the usual library would have died of. */
  readonly fatal: string[] = [];
  /** Results that were never acknowledged. */
  unanswered = 0;
  progress = 'ready';
  readonly #client: MqttClient;
  readonly #events = new EventEmitter().setMaxListeners(0);
  #work: Promise<void> = Promise.resolve();

  private constructor(client: MqttClient, options: FinPeerOptions) {
    this.#client = client;
    this.options = options;
    client.on('message', (topic, payload) => this.#receive(topic, payload));
  }

  /** Connects and subscribes in the order of the protocol, but does not register. */
  static async connect(options: FinPeerOptions, more: Json = {}): Promise<FinPeer> {
    const client = await connectAsync({
      host: '127.0.0.1',
      port: options.port,
      protocolVersion: 5,
      reconnectPeriod: 100,
      resubscribe: false,
      ...more,
    });
    client.on('error', () => {});
    // The acknowledgement and the result are two small messages; the second must not wait for the first.
    if (client.stream instanceof Socket) client.stream.setNoDelay(true);
    const fin = new FinPeer(client, options);
    await fin.subscribe();
    return fin;
  }

  /** Connected, and registered with success. */
  static async join(options: FinPeerOptions): Promise<FinPeer> {
    const fin = await FinPeer.connect(options);
    const answer = await fin.register();
    if (answer !== 'ack') throw new Error(`The registration was answered by ${answer}.`);
    return fin;
  }

  /** The usual library does this at its start only. */
  async subscribe(): Promise<void> {
    const { capabilityId, finId } = this.options;
    for (const topic of [capabilityId, this.#serviceTopic, finId]) {
      await this.#client.subscribeAsync(topic, { qos: 1, nl: true });
    }
  }

  /** Answers `silence` when three attempts found none. */
  async register(messageId: string = randomUUID()): Promise<'ack' | 'nack' | 'silence'> {
    const { finId, capabilityId, capability } = this.options;
    return this.ask(this.#serviceTopic, {
      type: 'register',
      message_id: messageId,
      fin_id: finId,
      protocol_version: '0.0.1',
      security: { version: '0.0.1', channel_security: 'plaintext' },
      capabilities: [
        {
          capability_id: capabilityId,
          type: 'action',
          name: `name of ${capabilityId}`,
          version: '1.2.0',
          step: {},
          agent: { [`net-address--${finId}`]: { type: 'svc-fin', name: `agent of ${finId}` } },
          ...capability,
        },
      ],
      meta: { timestamp: new Date().toISOString(), sender_id: finId },
    });
  }

  unregister(messageId: string = randomUUID()): Promise<'ack' | 'nack' | 'silence'> {
    return this.ask(this.#serviceTopic, {
      type: 'unregister',
      message_id: messageId,
      capability_id: null,
      fin_id: this.options.finId,
      all: false,
    });
  }

  /** Sends, repeated twice, until the answer comes on the fin's own topic. */
  async ask(topic: string, message: Json): Promise<'ack' | 'nack' | 'silence'> {
    for (let tries = 0; tries < 3; tries += 1) {
      const answer = this.#answerTo(message['message_id'], this.options.finId);
      this.publish(topic, message);
      const type = await answer;
      if (type !== undefined) return type;
    }
    return 'silence';
  }

  publish(topic: string, message: Json | string): void {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    this.#client.publish(topic, text, { qos: 0 });
  }

  /** Of the messages heard so far or later, the first that fits. */
  async hears(fits: (heard: Heard) => boolean, withinMs = 5_000): Promise<Heard> {
    const deadline = AbortSignal.timeout(withinMs);
    for (;;) {
      const found = this.heard.find(fits);
      if (found !== undefined) return found;
      await new Promise<void>((resolve, reject) => {
        this.#events.once('heard', resolve);
        deadline.addEventListener('abort', () => reject(new Error('not heard in time')));
      });
    }
  }

  result(
    command: PeerCommand,
    { state, variables }: PeerResult,
    messageId: string = randomUUID(),
  ): Json {
    return {
      type: 'result',
      message_id: messageId,
      result: { state, context: command.context, variables: variables ?? {} },
      meta: { timestamp: new Date().toISOString(), sender_id: this.options.capabilityId },
    };
  }

  /** As a fin that was ended: nobody is told. */
  async leave(): Promise<void> {
    await this.#client.endAsync(true);
  }

  get #serviceTopic(): string {
    return this.options.serviceTopic ?? 'svc';
  }

  #receive(topic: string, payload: Buffer): void {
    const message = JSON.parse(payload.toString()) as Json;
    this.heard.push({ topic, message });
    this.#events.emit('heard');
    const { type, message_id: messageId } = message;
    if (type === 'ack' || type === 'nack') this.#events.emit(`${topic} ${messageId}`, type);
    else if (topic === this.options.capabilityId && type === 'command') this.#accept(message);
    // The library acknowledges every unregistration it hears, also those meant for others.
    else if (topic === this.#serviceTopic && type === 'unregister' && !this.options.deaf) {
      this.publish(topic, { type: 'ack', message_id: messageId });
    } else if (topic === this.options.finId && this.options.obeys) this.#obey(message);
  }

  #accept(message: Json): void {
    try {
      const command = readCommand(message);
      this.commands.push(command);
      this.#work = this.#work.then(() => this.#carryOut(command));
    } catch (error) {
      this.fatal.push(String(error));
    }
  }

  async #carryOut(command: PeerCommand): Promise<void> {
    const { capabilityId, deaf, refuses, perform } = this.options;
    if (deaf) return;
    const type = refuses || this.progress === 'paused' ? 'nack' : 'ack';
    this.publish(capabilityId, { type, message_id: command.messageId });
    if (type === 'nack') return;
    this.begun.push(command);
    const result = this.result(command, (await perform?.(command, this)) ?? { state: 'success' });
    for (let tries = 0; tries < 4; tries += 1) {
      const answer = this.#answerTo(result['message_id'], capabilityId);
      this.publish(capabilityId, result);
      if ((await answer) === 'ack') return;
    }
    this.unanswered += 1;
  }

  #obey({ type, message_id: messageId, capability_id: capabilityId }: Json): void {
    const { finId } = this.options;
    if (type === 'pause') this.progress = 'paused';
    if (type === 'resume') this.progress = 'ready';
    if (type === 'pause' || type === 'progress') {
      const { progress } = this;
      const message_id = randomUUID();
      this.publish(finId, { type: 'status', message_id, capability_id: capabilityId, progress });
    } else if (type === 'resume' || type === 'stop') {
      this.publish(finId, { type: 'ack', message_id: messageId });
    }
  }

  #answerTo(messageId: unknown, topic: string): Promise<'ack' | 'nack' | undefined> {
    return new Promise((resolve) => {
      const event = `${topic} ${messageId}`;
      const end = (type?: 'ack' | 'nack') => {
        clearTimeout(timer);
        this.#events.removeListener(event, end);
        resolve(type);
      };
      const timer = setTimeout(end, this.options.repeatMs ?? 30_000);
      this.#events.once(event, end);
    });
  }
}
