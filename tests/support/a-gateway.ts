/** A gateway to fins as one instance of the service has it, and commands for them. */

import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { StepId } from '../../core/cacao/ids.ts';
import type { AuthenticationInfo, Variables } from '../../core/cacao/playbook.ts';
import type { FinConfig } from '../../core/config/config.ts';
import type { ExecutionId } from '../../core/execution/ids.ts';
import type { FinGateway } from '../../core/fins/fin-gateway.ts';
import type { CommandOutcome, Invocation, StepContext } from '../../core/ports/capability.ts';
import type { FinStore } from '../../core/ports/fin-store.ts';
import type { Log, SecurityEvent } from '../../core/ports/log.ts';
import { openFins } from '../../infra/fins/open-fins.ts';
import { type FinTiming, finTiming } from '../../infra/fins/timing.ts';
import { randomIds, systemClock } from '../../infra/process/system-clock.ts';
import { MemoryDatabase } from '../../infra/stores/memory/memory-database.ts';
import { MemoryFinStore } from '../../infra/stores/memory/memory-fin-store.ts';
import { playbookId, stepId } from '../contracts/builders.ts';
import { noLog } from './no-log.ts';

export type TestGateway = FinGateway & {
  readonly store: FinStore;
  readonly securityEvents: readonly SecurityEvent[];
};

export type GatewayOptions = Partial<FinConfig> & {
  readonly port: number;
  readonly store?: FinStore;
  readonly timing?: Partial<FinTiming>;
  readonly log?: Log;
};

export function aFinStore(): FinStore {
  return new MemoryFinStore(new MemoryDatabase());
}

const GRACE_MS = 100;

/** Waits a tenth of the usual time for everything, so that tests need not; closed with the test. */
export async function aGateway(options: GatewayOptions): Promise<TestGateway> {
  const { store = aFinStore(), timing, log = noLog, ...config } = options;
  const securityEvents: SecurityEvent[] = [];
  const gateway = await openFins(
    {
      broker: '127.0.0.1',
      tls: undefined,
      credentials: undefined,
      version: '5',
      serviceTopic: 'svc',
      listener: 'always',
      listenMs: 300,
      unregisterOnShutdown: false,
      ...config,
    },
    {
      store,
      clock: systemClock,
      ids: randomIds,
      log,
      securityLog: { record: (event) => void securityEvents.push(event) },
      agentPrefixes: ['svc'],
    },
    { ...finTiming, ackMs: 1_000, graceMs: GRACE_MS, answerMs: 1_000, retryMs: 20, ...timing },
  );
  onTestFinished(() => gateway.close());
  return Object.assign(gateway, { store, securityEvents });
}

/** A gateway whose connection stands. */
export async function aConnectedGateway(options: GatewayOptions): Promise<TestGateway> {
  const gateway = await aGateway(options);
  await gateway.ping();
  return gateway;
}

export type TestCommand = {
  readonly text?: string;
  readonly agent?: string;
  readonly agentKey?: string;
  readonly execution?: string;
  readonly step?: StepId;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly variables?: Variables;
  readonly authentication?: AuthenticationInfo & { readonly id?: string };
  readonly target?: Invocation['target'];
};

export async function perform(
  gateway: FinGateway,
  command: TestCommand = {},
): Promise<CommandOutcome> {
  const { agent = 'cap-a', agentKey = 'svc-fin--1', timeoutMs = 10_000 } = command;
  const capability = await gateway.directory.find(agentKey, { type: 'svc-fin', name: agent });
  if (capability === undefined) throw new Error(`There is no fin for ${agent}.`);
  const context: StepContext = {
    executionId: (command.execution ?? randomUUID()) as ExecutionId,
    playbookId: playbookId(1),
    stepId: command.step ?? stepId(1),
    workKey: 'work',
    deadlineMs: Date.now() + timeoutMs,
  };
  const session = capability.begin(context);
  const { id, ...authentication } = command.authentication ?? { type: '' };
  const signal = command.signal ?? AbortSignal.timeout(timeoutMs);
  return session.perform({
    command: { type: 'fin' },
    text: command.text ?? 'do it',
    content: undefined,
    agent: { type: 'svc-fin', name: agent },
    variables: command.variables ?? {},
    outArgs: [],
    signal,
    ...(command.target === undefined
      ? {}
      : { target: command.target, targetId: `net-address--${randomUUID()}` }),
    ...(command.authentication === undefined
      ? {}
      : { authentication, authenticationId: id ?? `user-auth--${randomUUID()}` }),
  });
}

/** Resolves when every instance must have given the answers it thought another one owed. */
export async function graceOver(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 3 * GRACE_MS));
}

/** Asks again and again until the answer is true. */
export async function eventually(
  isSo: () => boolean | Promise<boolean>,
  withinMs = 5_000,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error('It has not come to be so.');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
