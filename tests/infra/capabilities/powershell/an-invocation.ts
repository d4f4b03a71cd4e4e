/** Builders for the powershell tests: an invocation, its step, and a capability against a peer. */

import type { PlaybookId, StepId } from '../../../../core/cacao/ids.ts';
import type { AgentTarget } from '../../../../core/cacao/playbook.ts';
import type { ExecutionId } from '../../../../core/execution/ids.ts';
import type { CommandOutcome, Invocation, StepContext } from '../../../../core/ports/capability.ts';
import {
  createPowershellCapability,
  type PowershellOptions,
} from '../../../../infra/capabilities/powershell/powershell-capability.ts';

const aStep: StepContext = {
  executionId: 'execution' as ExecutionId,
  playbookId: 'playbook--1' as PlaybookId,
  stepId: 'action--1' as StepId,
  workKey: 'execution/1',
  deadlineMs: Number.MAX_SAFE_INTEGER,
};

export function aTarget(parts: Partial<AgentTarget> = {}): AgentTarget {
  return { type: 'net-address', name: 'host', address: { ipv4: ['127.0.0.1'] }, ...parts };
}

export function anInvocation(text: string, parts: Partial<Invocation> = {}): Invocation {
  return {
    command: { type: 'powershell', command: text },
    text,
    content: undefined,
    agent: { type: 'svc', name: 'svc-powershell' },
    target: aTarget(),
    authentication: { type: 'user-auth', username: 'operator', password: 'correct horse 1' },
    variables: {},
    outArgs: [],
    signal: new AbortController().signal,
    ...parts,
  };
}

/** Performs one invocation in a session of its own. */
export async function perform(
  invocation: Invocation,
  options: Partial<PowershellOptions> = {},
): Promise<CommandOutcome> {
  const capability = createPowershellCapability({
    skipCertificateCheck: false,
    clock: { now: () => 1_700_000_000_000 },
    ...options,
  });
  const session = capability.begin(aStep);
  try {
    return await session.perform(invocation);
  } finally {
    await session.end();
  }
}
