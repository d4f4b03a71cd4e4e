/**
 * The connection to the broker: made again whenever it is lost, every time with all its subscriptions.
 *
 * M1  What is published while the broker is away is not sent later: commands have effects, and whoever
 *     asked has been told that they were not sent.
 * M2  Nothing is waited for while a message is taken in: answers of the broker would wait behind it.
 */

import { Socket } from 'node:net';
import { connect, type IClientOptions, type MqttClient } from 'mqtt';
import type { Log } from '../../core/ports/log.ts';
import type { FinTiming } from './timing.ts';

export type LinkParts = {
  readonly options: IClientOptions;
  readonly timing: Pick<FinTiming, 'retryMs' | 'longestRetryMs'>;
  readonly log: Log;
  /** What to subscribe to on a new connection. Must not reject. */
  topics(): Promise<readonly string[]>;
  /** Taken in one after the other; the broker is told when this resolves. Must not reject. */
  receive(topic: string, payload: Uint8Array): Promise<void>;
  /** The connection was lost. */
  down(): void;
};

export class MqttLink {
  readonly #parts: LinkParts;
  readonly #topics = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #client: MqttClient | undefined;
  #isUp = false;
  #isWanted = false;
  #failures = 0;
  #retry: NodeJS.Timeout | undefined;

  constructor(parts: LinkParts) {
    this.#parts = parts;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** Connects, and keeps trying until it is closed. */
  open(): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#connect();
  }

  /** Whether the connection stands, waiting for it at most this long or until aborted. */
  untilUp(timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    if (this.#isUp || timeoutMs <= 0) return Promise.resolve(this.#isUp);
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#listeners.delete(end);
        signal?.removeEventListener('abort', end);
        resolve(this.#isUp);
      };
      const timer = setTimeout(end, timeoutMs);
      this.#listeners.add(end);
      signal?.addEventListener('abort', end);
      if (signal?.aborted) end();
    });
  }

  /** Sends once, at least to the broker; false when it is away. */
  publish(topic: string, text: string): boolean {
    const client = this.#client;
    if (!client?.connected) return false;
    client.publish(topic, text, { qos: 1 }, (error) => {
      // A lost connection is told to all; what is left is a broker that does not allow it.
      if (error && client.connected) this.#parts.log.error('fin.publish-refused', { topic, error });
    });
    return true;
  }

  /** Resolves when the broker has confirmed; at once for known topics, and while it is away. */
  async subscribe(topics: readonly string[]): Promise<void> {
    const client = this.#client;
    const added = topics.filter((topic) => !this.#topics.has(topic));
    if (!client?.connected || added.length === 0) return;
    for (const topic of added) this.#topics.add(topic);
    const batches = Array.from({ length: Math.ceil(added.length / MOST_TOPICS) }, (_, n) =>
      added.slice(n * MOST_TOPICS, (n + 1) * MOST_TOPICS),
    );
    const options = { qos: 1, nl: client.options.protocolVersion === 5 } as const;
    await Promise.all(batches.map((batch) => client.subscribeAsync(batch, options)));
  }

  /** What was published is still handed to the broker. May be opened again. */
  async close(): Promise<void> {
    this.#isWanted = false;
    clearTimeout(this.#retry);
    const client = this.#client;
    if (client === undefined) return;
    const wasUp = this.#isUp;
    this.#detach();
    if (wasUp) this.#parts.down();
    await farewell(client);
  }

  #connect(): void {
    const client = connect(this.#parts.options);
    this.#client = client;
    client.handleMessage = ({ topic, payload, retain }, done) => {
      // Fins do not retain messages; one that was would come again with every connection.
      if (retain) done();
      else void this.#parts.receive(topic, Buffer.from(payload)).then(() => done());
    };
    client.on('connect', () => void this.#greet(client));
    client.on('error', (error) => this.#lost(client, error));
    client.on('close', () => this.#lost(client));
  }

  async #greet(client: MqttClient): Promise<void> {
    // An answer and the next command follow each other closely; the second must not wait for the first.
    if (client.stream instanceof Socket) client.stream.setNoDelay(true);
    try {
      const topics = await this.#parts.topics();
      if (client === this.#client) await this.subscribe(topics);
    } catch (error) {
      this.#lost(client, error);
      return;
    }
    if (client !== this.#client || !client.connected) return;
    this.#failures = 0;
    this.#isUp = true;
    this.#parts.log.info('fin.broker-connected', { topics: this.#topics.size });
    for (const listener of [...this.#listeners]) listener();
  }

  #lost(client: MqttClient, error?: unknown): void {
    // What a forgotten client still has to say is of no interest.
    if (client !== this.#client) return;
    const wasUp = this.#isUp;
    this.#detach();
    client.end(true);
    if (wasUp) this.#parts.down();
    if (!this.#isWanted) return;
    const { retryMs, longestRetryMs } = this.#parts.timing;
    const longest = Math.min(longestRetryMs, retryMs * 2 ** this.#failures);
    // Instances that lost the broker together should not come back together.
    const afterMs = longest * (0.5 + Math.random() / 2);
    if (wasUp || this.#failures === 0) {
      this.#parts.log.warning('fin.broker-away', { error, retryMs: Math.round(afterMs) });
    }
    this.#failures = Math.min(this.#failures + 1, MOST_DOUBLINGS);
    this.#retry = setTimeout(() => this.#connect(), afterMs);
  }

  #detach(): void {
    this.#client = undefined;
    this.#isUp = false;
    this.#topics.clear();
  }
}

/** Some brokers refuse a longer list. */
const MOST_TOPICS = 10;
const MOST_DOUBLINGS = 16;
const CONFIRM_MS = 1_000;

/** Lets the broker confirm what was published, if it does so in time, and disconnects. */
async function farewell(client: MqttClient): Promise<void> {
  const patience = Promise.withResolvers<void>();
  const timer = setTimeout(patience.resolve, CONFIRM_MS);
  await Promise.race([client.endAsync(!client.connected).catch(() => {}), patience.promise]);
  clearTimeout(timer);
  client.stream.destroy();
}
