/** Whether playbooks must be signed, and by whom. */

import type { SignatureConfig } from './config.ts';
import { anyText, oneOf } from './kinds.ts';
import type { Notes } from './notes.ts';
import { optional, setting, type ValuesOf } from './variable.ts';

export const signatureVariables = {
  PLAYBOOK_SIGNATURES: setting(
    oneOf(['off', 'warn', 'require']),
    'off',
    'What happens to playbooks without a good signature of a trusted key, when they are stored and when they are triggered: nothing, a warning, or a refusal.',
  ),
  PLAYBOOK_TRUSTED_KEYS: optional(
    anyText,
    'Public keys whose signatures are trusted: a JSON web key set (RFC 7517), or the path of a file that holds one.',
  ),
};

export function signatureConfig(
  values: ValuesOf<typeof signatureVariables>,
  notes: Notes,
): SignatureConfig | undefined {
  const { PLAYBOOK_SIGNATURES: policy, PLAYBOOK_TRUSTED_KEYS: trustedKeys } = values;
  if (policy === 'off') return undefined;
  if (trustedKeys === undefined && policy === 'require') {
    notes.problem('PLAYBOOK_TRUSTED_KEYS', 'is missing; PLAYBOOK_SIGNATURES=require needs it');
  } else if (trustedKeys === undefined) {
    notes.warn('PLAYBOOK_TRUSTED_KEYS', 'is missing, so no signature is trusted');
  }
  return { policy, trustedKeys };
}
