/**
 * Runs commands on targets over ssh (spec, capability ssh). A command succeeds when the target was
 * reached, the command ran and its exit status is zero; its standard output is the result.
 */

import type { LookupFunction } from 'node:net';
import type {
  Capability,
  CapabilitySession,
  CommandOutcome,
  Invocation,
} from '../../../core/ports/capability.ts';
import type { KeyStore } from '../../../core/ports/key-store.ts';
import type { Log } from '../../../core/ports/log.ts';
import type { EgressPolicy } from '../addressing/egress.ts';
import { createHostKeys, type HostKeyPolicy } from './host-keys.ts';
import { runRemoteCommand } from './run-remote-command.ts';
import { readSshAddress } from './ssh-address.ts';
import {
  openSshConnection,
  type SshConnection,
  type SshConnectionAttempt,
  type SshConnectionOptions,
} from './ssh-connection.ts';
import type { SshFailure } from './ssh-failure.ts';
import { readSshLogin, type SshLogin } from './ssh-login.ts';
import { notBegun, outcomeOf } from './ssh-outcome.ts';

export type SshCapabilityOptions = {
  /** Undefined while key management is off. */
  readonly keys: KeyStore | undefined;
  readonly hostKeyPolicy: HostKeyPolicy;
  readonly knownHostsPath: string;
  readonly log: Log;
  /** From the first packet to the end of the login, per address. */
  readonly connectTimeoutMs?: number;
  readonly maxOutputBytes?: number;
  /** Where connections may go; anywhere by default. */
  readonly allows?: EgressPolicy;
  /** Resolves names in place of the system's resolver, and of `allows`. */
  readonly lookup?: LookupFunction;
};

const defaultConnectTimeoutMs = 20_000;
const defaultMaxOutputBytes = 16 * 1024 * 1024;

export function createSshCapability(options: SshCapabilityOptions): Capability {
  const { keys, log, knownHostsPath, allows, lookup } = options;
  const connecting: SshConnectionOptions = {
    hostKeys: createHostKeys({ policy: options.hostKeyPolicy, knownHostsPath, log }),
    connectTimeoutMs: options.connectTimeoutMs ?? defaultConnectTimeoutMs,
    allows: allows ?? (() => true),
    lookup,
  };
  const maxOutputBytes = options.maxOutputBytes ?? defaultMaxOutputBytes;
  return {
    name: 'ssh',
    targetless: false,
    begin: () => new SshSession(keys, connecting, maxOutputBytes),
  };
}

/** Keeps connections from command to command; one that is in use is nobody else's. */
class SshSession implements CapabilitySession {
  readonly #keys: KeyStore | undefined;
  readonly #connecting: SshConnectionOptions;
  readonly #maxOutputBytes: number;
  readonly #idle = new Map<string, SshConnection>();

  constructor(
    keys: KeyStore | undefined,
    connecting: SshConnectionOptions,
    maxOutputBytes: number,
  ) {
    this.#keys = keys;
    this.#connecting = connecting;
    this.#maxOutputBytes = maxOutputBytes;
  }

  async perform(invocation: Invocation): Promise<CommandOutcome> {
    const { signal, target, authentication } = invocation;
    const command = invocation.text.replace(/^ssh[ \t]+/, '');
    if (command.trim() === '') return refuse('The command is empty.');
    if (target === undefined) return refuse('The step has no target.');
    const address = readSshAddress(target);
    if (!address.ok) return failure(address.failure);
    const reading = await readSshLogin(authentication, this.#keys);
    if (!reading.ok) return failure(reading.failure);

    const { hosts, port } = address;
    const purpose = JSON.stringify([hosts, port, authentication]);
    const attempt = await this.#connect(purpose, hosts, port, reading.login, signal);
    if (signal.aborted && !attempt.ok) return notBegun(signal);
    if (!attempt.ok) return failure(attempt.failure);

    const { connection } = attempt;
    const limits = { maxOutputBytes: this.#maxOutputBytes, signal };
    const result = await runRemoteCommand(connection, command, limits);
    if (result.kind === 'exited' && !this.#idle.has(purpose)) this.#idle.set(purpose, connection);
    else connection.close();
    return outcomeOf(result, connection.endpoint, limits);
  }

  async end(): Promise<void> {
    for (const connection of this.#idle.values()) connection.close();
    this.#idle.clear();
  }

  /** A connection kept for this purpose, or the first of the hosts that can be reached. */
  async #connect(
    purpose: string,
    hosts: readonly string[],
    port: number,
    login: SshLogin,
    signal: AbortSignal,
  ): Promise<SshConnectionAttempt> {
    const kept = this.#idle.get(purpose);
    this.#idle.delete(purpose);
    if (kept?.isOpen()) return { ok: true, connection: kept };
    const reasons: string[] = [];
    for (const host of hosts) {
      const attempt = await openSshConnection({ host, port }, login, this.#connecting, signal);
      if (attempt.ok || !attempt.elsewhere || signal.aborted) return attempt;
      reasons.push(attempt.failure.reason);
    }
    return {
      ok: false,
      elsewhere: true,
      failure: { status: 'failed', reason: reasons.join(' ') },
    };
  }
}

function failure({ status, reason }: SshFailure): CommandOutcome {
  return { ok: false, status, error: reason };
}

function refuse(reason: string): CommandOutcome {
  return { ok: false, status: 'client_side_error', error: reason };
}
