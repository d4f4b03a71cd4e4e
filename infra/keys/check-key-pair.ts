/** Whether two texts are the halves of one SSH key, before anybody relies on them. */

import type { KeyInvalid, NewKey } from '../../core/ports/key-store.ts';
import { readPrivateKey } from './read-private-key.ts';

export type CheckedPair = {
  readonly ok: true;
  /** The key as it is kept: tidy texts, and no passphrase where none is needed. */
  readonly key: NewKey;
  readonly encrypted: boolean;
};

/**
 * Opens the private key, so a wrong passphrase is found now and not when a playbook runs.
 * `commonPassphrase` is tried when the key came without its own.
 */
export async function checkKeyPair(
  given: NewKey,
  commonPassphrase: string | undefined,
): Promise<CheckedPair | KeyInvalid> {
  const { utils } = (await import('ssh2')).default;
  const publicKey = tidy(given.publicKey);
  const privateKey = tidy(given.privateKey);

  const parsed = utils.parseKey(publicKey);
  if (parsed instanceof Error) {
    return invalid('public', 'it is not one line of an authorized_keys file');
  }
  if (parsed.isPrivateKey()) return invalid('public', 'it is a private key');

  const reading = await readPrivateKey(privateKey, given.passphrase ?? commonPassphrase);
  if (!reading.ok) return invalid('private', reading.reason);
  if (!reading.key.getPublicSSH().equals(parsed.getPublicSSH())) {
    return invalid('private', 'it does not belong to the public key');
  }
  const { encrypted } = reading;
  const own = encrypted && given.passphrase !== undefined ? { passphrase: given.passphrase } : {};
  return { ok: true, key: { publicKey, privateKey, ...own }, encrypted };
}

/** One newline at the end of every line, as ssh tools write and expect it. */
function tidy(text: string): string {
  return `${text.trim().replaceAll('\r\n', '\n')}\n`;
}

function invalid(part: KeyInvalid['part'], reason: string): KeyInvalid {
  return { ok: false, code: 'key-invalid', part, reason };
}
