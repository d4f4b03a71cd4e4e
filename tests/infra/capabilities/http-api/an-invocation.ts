/** Builders for tests of the HTTP capabilities: an invocation, its step, and one performance of it. */

import type { PlaybookId, StepId } from '../../../../core/cacao/ids.ts';
import type { AgentTarget } from '../../../../core/cacao/playbook.ts';
import type { ExecutionId } from '../../../../core/execution/ids.ts';
import type {
  Capability,
  CapabilitySession,
  CommandOutcome,
  Invocation,
  StepContext,
} from '../../../../core/ports/capability.ts';
import { createHttpApiCapability } from '../../../../infra/capabilities/http-api/http-api-capability.ts';
import type { HttpCapabilityOptions } from '../../../../infra/capabilities/http-api/http-capability.ts';

export const aStep: StepContext = {
  executionId: 'execution' as ExecutionId,
  playbookId: 'playbook--1' as PlaybookId,
  stepId: 'action--1' as StepId,
  workKey: 'execution/1',
  deadlineMs: Number.MAX_SAFE_INTEGER,
};

/** A target reached by plain HTTP at this port of the loopback. */
export function aTarget(port: number, parts: Partial<AgentTarget> = {}): AgentTarget {
  return {
    type: 'http-api',
    name: 'target',
    address: { url: [`http://127.0.0.1:${port}`] },
    ...parts,
  };
}

export function anInvocation(
  target: AgentTarget,
  text: string,
  parts: Partial<Invocation> = {},
): Invocation {
  return {
    command: { type: 'http-api', command: text },
    text,
    content: undefined,
    agent: { type: 'svc', name: 'svc-http-api' },
    target,
    variables: {},
    outArgs: [],
    signal: new AbortController().signal,
    ...parts,
  };
}

export function anHttpApi(options: Partial<HttpCapabilityOptions> = {}): Capability {
  return createHttpApiCapability({ skipCertificateCheck: false, ...options });
}

/** Performs one invocation in a session of its own. */
export async function perform(
  invocation: Invocation,
  options: Partial<HttpCapabilityOptions> = {},
): Promise<CommandOutcome> {
  return inSession(anHttpApi(options), (session) => session.perform(invocation));
}

export async function inSession<Result>(
  capability: Capability,
  use: (session: CapabilitySession) => Promise<Result>,
): Promise<Result> {
  const session = capability.begin(aStep);
  try {
    return await use(session);
  } finally {
    await session.end();
  }
}

/** What a step's signal says when its time is up. */
export function timeIsUp(): DOMException {
  return new DOMException('The operation timed out.', 'TimeoutError');
}
