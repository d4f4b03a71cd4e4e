/**
 * Commands as fins accept them. The usual fin library parses strictly and a capability whose parser fails
 * stays silent for ever, so nothing it insists on may be left out:
 *
 * E1  Every variable carries type, name, description, value, constant and external, none of them null.
 * E2  Authentication is left out altogether, or has an id and one of three types.
 * E3  The timeout is a whole number of seconds.
 */

import type { Variables } from '../../../core/cacao/playbook.ts';
import { variableTypes } from '../../../core/cacao/schema/variable.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { Invocation, StepContext } from '../../../core/ports/capability.ts';
import { encodeTimestamp } from './timestamp.ts';

export type CommandParts = {
  readonly messageId: string;
  readonly senderId: string;
  /** Microseconds since the epoch; also what tells commands of one step apart. */
  readonly generatedUs: number;
  /** Whole seconds. */
  readonly timeoutSeconds: number;
  readonly invocation: Invocation;
  readonly authentication: JsonObject | undefined;
  readonly step: Pick<StepContext, 'executionId' | 'playbookId' | 'stepId'>;
};

export function encodeCommand(parts: CommandParts): string {
  const { invocation, step, authentication } = parts;
  const timestamp = encodeTimestamp(parts.generatedUs);
  const { target, targetId } = invocation;
  return JSON.stringify({
    type: 'command',
    message_id: parts.messageId,
    command: {
      command: invocation.text,
      ...(authentication === undefined ? {} : { authentication }),
      context: {
        generated_on: timestamp,
        completed_on: null,
        timeout: parts.timeoutSeconds,
        step_id: step.stepId,
        playbook_id: step.playbookId,
        execution_id: step.executionId,
      },
      variables: encodeVariables(invocation.variables),
      // Beyond the protocol: fins that do not know it pass over it.
      ...(target === undefined ? {} : { target: { id: targetId ?? '', ...target } }),
    },
    meta: { timestamp, sender_id: parts.senderId },
  });
}

const knownTypes: ReadonlySet<string> = new Set(variableTypes);

function encodeVariables(variables: Variables): JsonObject {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, variable]) => {
      const { type, description, value, constant, external } = variable;
      if (value === undefined || value === null) return [];
      const complete = {
        type: knownTypes.has(type) ? type : 'string',
        name,
        description: description ?? '',
        value,
        constant: constant ?? false,
        external: external ?? false,
      };
      return [[name, complete]];
    }),
  );
}
