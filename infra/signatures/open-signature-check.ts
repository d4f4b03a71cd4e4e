/** From the configuration to the check of playbook signatures. */

import { checkSignatures } from '../../core/cacao/signatures/check-signatures.ts';
import type { SignatureConfig } from '../../core/config/config.ts';
import type { Finding } from '../../core/errors/finding.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { createSignatureVerifier } from './signature-verifier.ts';
import { readTrustedKeys } from './trusted-keys.ts';

/** What is to be said about the signatures of a playbook; errors among it refuse the playbook. */
export type SignatureCheck = (document: JsonObject) => readonly Finding[];

/** Refuses with a ConfigError when the trusted keys cannot be read. */
export async function openSignatureCheck(
  config: SignatureConfig | undefined,
  clock: Clock,
): Promise<SignatureCheck> {
  if (config === undefined) return () => [];
  const { policy, trustedKeys } = config;
  const keys = trustedKeys === undefined ? [] : await readTrustedKeys(trustedKeys);
  const verify = createSignatureVerifier(keys);
  return (document) => checkSignatures(document, { policy, verify, nowMs: clock.now() });
}
