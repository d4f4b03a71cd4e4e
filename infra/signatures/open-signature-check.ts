/** From the configuration to the check of playbook signatures. */

import { checkSignatures } from '../../core/cacao/signatures/check-signatures.ts';
import type { SignatureConfig } from '../../core/config/config.ts';
import type { PlaybookCheck } from '../../core/execution/playbook-check.ts';
import { isJsonObject } from '../../core/json.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/log.ts';
import { createSignatureVerifier } from './signature-verifier.ts';
import { readTrustedKeys } from './trusted-keys.ts';

export type SignatureCheckParts = { readonly clock: Clock; readonly log: Log };

/**
 * Adds what is to be said about signatures to a check of playbooks that are otherwise good; errors among
 * it refuse the playbook. Refuses with a ConfigError when the trusted keys cannot be read.
 */
export async function openSignatureCheck(
  config: SignatureConfig | undefined,
  { clock, log }: SignatureCheckParts,
): Promise<(check: PlaybookCheck) => PlaybookCheck> {
  if (config === undefined) return (check) => check;
  const { policy, trustedKeys } = config;
  const keys = trustedKeys === undefined ? [] : await readTrustedKeys(trustedKeys);
  const verify = createSignatureVerifier(keys);
  return (check) => (document) => {
    const checked = check(document);
    if (!checked.ok || !isJsonObject(document)) return checked;
    const found = checkSignatures(document, { policy, verify, nowMs: clock.now() });
    if (found.length === 0) return checked;
    const findings = [...checked.findings, ...found];
    if (found.some(({ severity }) => severity === 'error')) return { ok: false, findings };
    const rules = found.map(({ rule }) => rule);
    log.warning('playbook.signature-doubtful', { playbookId: checked.playbook.id, rules });
    return { ...checked, findings };
  };
}
