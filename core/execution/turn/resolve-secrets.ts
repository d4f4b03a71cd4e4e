/**
 * Puts secrets in the place of references to them, at the last moment before a step's commands are sent.
 * The values live in memory while the step is performed, and nowhere else.
 */

import { authenticationDefinitions, definitionOf } from '../../cacao/definitions.ts';
import type { Playbook } from '../../cacao/playbook.ts';
import { isSecretReference, secretMembers } from '../../cacao/secret-reference.ts';
import type { StepFailure } from '../../engine/effects.ts';
import type { SecretReading, SecretVault } from '../../ports/secret-vault.ts';
import { crashed, endedBy } from './guarded-command.ts';
import type { BoundTarget } from './targets.ts';

export type Resolved = {
  readonly targets: readonly BoundTarget[];
  /** What must not be seen of them. */
  readonly secrets: readonly string[];
};

/** The first reference that cannot be resolved fails the step. */
export async function resolveSecrets(
  playbook: Playbook,
  targets: readonly BoundTarget[],
  vault: SecretVault | undefined,
  signal: AbortSignal,
): Promise<Resolved | StepFailure> {
  const bound: BoundTarget[] = [];
  const secrets: string[] = [];
  for (const target of targets) {
    const found: [member: string, value: string][] = [];
    for (const [member, reference] of referencesOf(playbook, target)) {
      const reading = await resolved(vault, reference, signal);
      if (!reading.ok) return { status: reading.status, error: reading.error };
      found.push([member, reading.value]);
    }
    secrets.push(...found.map(([, value]) => value));
    const { authentication } = target;
    bound.push(
      authentication === undefined || found.length === 0
        ? target
        : { ...target, authentication: { ...authentication, ...Object.fromEntries(found) } },
    );
  }
  return { targets: bound, secrets };
}

async function resolved(
  vault: SecretVault | undefined,
  reference: string,
  signal: AbortSignal,
): Promise<SecretReading> {
  if (vault === undefined) return noVault;
  try {
    return await vault.resolve(reference, signal);
  } catch (error) {
    return signal.aborted ? endedBy(signal) : crashed(error);
  }
}

const noVault: SecretReading = {
  ok: false,
  status: 'client_side_error',
  error: 'This service looks up no secrets.',
};

/** As the playbook writes them: what variables have brought into a text is not looked up. */
function referencesOf(
  playbook: Playbook,
  { authenticationId }: BoundTarget,
): readonly (readonly [member: string, reference: string])[] {
  if (authenticationId === undefined) return [];
  const definition = definitionOf(authenticationDefinitions(playbook), authenticationId);
  return Object.entries(definition ?? {}).flatMap(([member, text]) =>
    secretMembers.includes(member) && typeof text === 'string' && isSecretReference(text)
      ? [[member, text] as const]
      : [],
  );
}
