/** The one gate every request passes: who calls, may they, and a line for the auditors when not. */

import { Refusal } from '../errors/refusal.ts';
import type { SecurityLog } from '../ports/log.ts';
import { callerLabel } from './caller-label.ts';
import { type Access, anybody, type Caller, type Need } from './permissions.ts';

export type Gate = { readonly access: Access; readonly securityLog: SecurityLog };

export type Admission = {
  readonly authorization: string | undefined;
  readonly needs: Need;
  /** What was asked for, for the security log. `route` is undefined when there is no such endpoint. */
  readonly route: string | undefined;
  readonly method: string;
  readonly path: string | undefined;
};

/**
 * Refuses with the codes of `Access`, with `role-missing` when the caller has no permission at all, and
 * with `forbidden` when it lacks the one needed.
 */
export async function admit(gate: Gate, admission: Admission): Promise<Caller> {
  const { needs } = admission;
  if (needs === 'open') return anybody;
  const caller = await identify(gate, admission);
  const refusal = objection(caller, needs);
  if (refusal === undefined) return caller;
  gate.securityLog.record('access_refused', {
    code: refusal.code,
    caller: callerLabel(caller),
    needs,
    ...whatOf(admission),
  });
  throw refusal;
}

async function identify({ access, securityLog }: Gate, admission: Admission): Promise<Caller> {
  try {
    return await access.identify(admission.authorization);
  } catch (error) {
    // A provider that is away says nothing about the caller, and has a line in the log already.
    if (error instanceof Refusal && error.status === 401) {
      const { code, message } = error;
      securityLog.record('access_refused', { code, reason: message, ...whatOf(admission) });
    }
    throw error;
  }
}

const LONGEST_PATH = 200;

function whatOf({ route, method, path }: Admission) {
  return { route, method, path: path?.slice(0, LONGEST_PATH) };
}

function objection({ permissions }: Caller, needs: Need): Refusal | undefined {
  if (permissions.size === 0) return new Refusal('role-missing');
  if (needs === 'any-role' || needs === 'open' || permissions.has(needs)) return undefined;
  return new Refusal('forbidden', needs);
}
