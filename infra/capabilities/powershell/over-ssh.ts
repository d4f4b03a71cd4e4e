/**
 * PowerShell on targets that are reached by SSH: the script becomes the argument of a PowerShell started
 * there, and the outcome is told under the names of this capability.
 */

import type { AgentTarget } from '../../../core/cacao/playbook.ts';
import type {
  CapabilitySession,
  CommandOutcome,
  Invocation,
} from '../../../core/ports/capability.ts';
import { ERROR, RESULT } from './powershell-outcome.ts';
import { programFor } from './script.ts';

const SSH_RESULT = '__svc_ssh_result__';

/** A target of type ssh, or on the port of SSH. */
export function isReachedBySsh(target: AgentTarget): boolean {
  return target.type === 'ssh' || target.port?.trim() === '22';
}

/** `switches` hold the encoded script. */
export async function performOverSsh(
  ssh: CapabilitySession,
  invocation: Invocation,
  switches: string,
): Promise<CommandOutcome> {
  const line = `${programFor(invocation.command.version)} ${switches}`;
  const { command_b64: _, ...command } = invocation.command;
  const rewritten = {
    ...invocation,
    command: { ...command, type: 'ssh', command: line },
    text: line,
  };
  const outcome = await ssh.perform(rewritten);
  const result = outcome.values?.[SSH_RESULT] ?? '';
  const executedBy = outcome.executedBy === undefined ? {} : { executedBy: outcome.executedBy };
  if (outcome.ok) return { ok: true, values: { [RESULT]: result, [ERROR]: '' }, ...executedBy };
  const { status, error } = outcome;
  return { ok: false, status, error, values: { [RESULT]: result, [ERROR]: error }, ...executedBy };
}
