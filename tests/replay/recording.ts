/** What a recording holds and how it is made: what the SDK was given and answered, generation by generation. */

import type { FunctionCaller } from '../../infra/local/durable/durable-host.ts';

/** One generation of one instance, at its last episode: the whole history and all actions. */
export type Generation = {
  readonly instance: string;
  /** The trigger of the orchestrator, as the JSON that travels on Azure. */
  readonly trigger: { readonly instanceId: string; readonly history: readonly WireEvent[] };
  /** What the orchestrator function returned. */
  readonly answer: unknown;
};

export type WireEvent = { readonly EventType: number; readonly [member: string]: unknown };

export type Recording = { readonly scenario: string; readonly generations: readonly Generation[] };

const executionStarted = 0;

/** Keeps the last call of each generation. Works on the JSON route only. */
export function recordCalls(calls: Map<string, Generation>) {
  return (caller: FunctionCaller): FunctionCaller => ({
    ...caller,
    async call(name, input) {
      const answer = await caller.call(name, input);
      if (!caller.orchestrators.has(name) || input.route !== 'json') return answer;
      const trigger = JSON.parse(input.text) as Generation['trigger'];
      const started = trigger.history.find(({ EventType }) => EventType === executionStarted);
      const key = `${trigger.instanceId} ${JSON.stringify(started?.['OrchestrationInstance'])}`;
      calls.set(key, { instance: trigger.instanceId, trigger, answer });
      return answer;
    },
  });
}
