/** Builders for the caldera tests: a peer that is stopped after each test, an invocation, its outcome. */

import { afterEach } from 'vitest';
import type { PlaybookId, StepId } from '../../../../core/cacao/ids.ts';
import type { ExecutionId } from '../../../../core/execution/ids.ts';
import type { CommandOutcome, Invocation, StepContext } from '../../../../core/ports/capability.ts';
import {
  type CalderaOptions,
  createCalderaCapability,
} from '../../../../infra/capabilities/caldera-cmd/caldera-capability.ts';
import {
  API_KEY,
  type CalderaPeer,
  type CalderaPeerOptions,
  startCalderaPeer,
} from '../../../peers/caldera/caldera-peer.ts';

let peer: CalderaPeer | undefined;
afterEach(async () => {
  await peer?.stop();
  peer = undefined;
});

const aStep: StepContext = {
  executionId: 'e1' as ExecutionId,
  playbookId: 'playbook--1' as PlaybookId,
  stepId: 'action--1' as StepId,
  workKey: 'e1/1',
  deadlineMs: Number.MAX_SAFE_INTEGER,
};

export const aLink = { id: 'l1', paw: 'agent1', status: 0, facts: [], output: base64('root\n') };
export const definition = {
  id: 'mine',
  name: 'Find files',
  tactic: 'discovery',
  executors: [{ platform: 'linux', name: 'sh', command: 'ls' }],
};

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

export function anInvocation(text: string, parts: Partial<Invocation> = {}): Invocation {
  return {
    command: { type: 'caldera-cmd', command: text },
    text,
    content: undefined,
    agent: { type: 'svc', name: 'svc-caldera-cmd' },
    target: { type: 'security-category', name: 'red', category: ['caldera'] },
    variables: {},
    outArgs: [],
    signal: new AbortController().signal,
    ...parts,
  };
}

export async function aPeer(parts: Partial<CalderaPeerOptions> = {}): Promise<CalderaPeer> {
  peer = await startCalderaPeer({ links: [aLink], ...parts });
  return peer;
}

type Parts = Partial<CalderaOptions> & { readonly apiKey?: string; readonly port?: number };

export async function perform(invocation: Invocation, parts: Parts = {}): Promise<CommandOutcome> {
  const { apiKey = API_KEY, port = peer?.port, ...options } = parts;
  const session = createCalderaCapability({
    server: { url: `http://127.0.0.1:${port}/`, apiKey },
    skipCertificateCheck: false,
    sleep: async () => {},
    ...options,
  }).begin(aStep);
  const outcome = await session.perform(invocation);
  await session.end();
  return outcome;
}
