/** Has commands carried out by a fin (spec, Events, fin protocol). A fin may do without a target. */

import type { Match } from '../../../core/fins/match-agent.ts';
import type { Work } from '../../../core/fins/message.ts';
import type {
  Capability,
  CommandOutcome,
  Invocation,
  StepContext,
} from '../../../core/ports/capability.ts';
import type { Clock, Ids } from '../../../core/ports/clock.ts';
import { encodeAuthentication } from '../../fins/protocol/encode-authentication.ts';
import { encodeCommand } from '../../fins/protocol/encode-command.ts';
import type { Ending, OutgoingCommand } from '../../fins/sent-command.ts';
import { outcomeOf } from './fin-outcome.ts';

export type FinCapabilityParts = {
  readonly clock: Clock;
  readonly ids: Ids;
  /** How this instance calls itself in what it sends. */
  readonly senderId: string;
  /** Sends the command when it is its turn; `isUsed` says that a time would not tell it apart. */
  perform(
    match: Match,
    compose: (isUsed: (work: Work) => boolean) => OutgoingCommand,
    signal: AbortSignal,
  ): Promise<Ending>;
};

export function createFinCapability(parts: FinCapabilityParts, match: Match): Capability {
  return {
    name: 'fin',
    targetless: true,
    begin: (step) => ({
      perform: (invocation) => perform(parts, match, invocation, step),
      end: async () => {},
    }),
  };
}

async function perform(
  parts: FinCapabilityParts,
  match: Match,
  invocation: Invocation,
  step: StepContext,
): Promise<CommandOutcome> {
  const credentials = encodeAuthentication(invocation.authentication, invocation.authenticationId);
  const { id: executedBy } = match.fin;
  if (!credentials.ok) {
    return { ok: false, status: 'client_side_error', error: credentials.reason, executedBy };
  }
  const { authentication } = credentials;
  const compose = (isUsed: (work: Work) => boolean): OutgoingCommand => {
    const nowMs = parts.clock.now();
    const us = nowMs * 1_000 + Math.floor(Math.random() * 1_000);
    let work = { executionId: step.executionId, stepId: step.stepId, generatedUs: us };
    while (isUsed(work)) work = { ...work, generatedUs: work.generatedUs + 1_000 };
    const messageId = parts.ids.uuid();
    const timeoutSeconds = Math.max(1, Math.ceil((step.deadlineMs - nowMs) / 1_000));
    const { generatedUs } = work;
    const text = encodeCommand({
      messageId,
      senderId: parts.senderId,
      generatedUs,
      timeoutSeconds,
      invocation,
      authentication,
      step,
    });
    return { messageId, work, text };
  };
  const ending = await parts.perform(match, compose, invocation.signal);
  return outcomeOf(ending, executedBy, invocation.signal);
}
