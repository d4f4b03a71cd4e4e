/** Makes a login out of the authentication information of a target, or says what that lacks. */

import type { ParsedKey } from 'ssh2';
import type { AuthenticationInfo } from '../../../core/cacao/model.ts';
import { Refusal } from '../../../core/errors/refusal.ts';
import {
  type KeyName,
  type KeyStore,
  type PrivateKey,
  parseKeyName,
} from '../../../core/ports/key-store.ts';
import { type PrivateKeyReading, readPrivateKey } from '../../keys/read-private-key.ts';
import type { SshFailure } from './ssh-failure.ts';

export type SshLogin = { readonly username: string } & (
  | { readonly kind: 'password'; readonly password: string }
  | { readonly kind: 'key'; readonly key: ParsedKey }
);

export type SshLoginReading =
  | { readonly ok: true; readonly login: SshLogin }
  | { readonly ok: false; readonly failure: SshFailure };

/** Without `keys`, key management is off. A key named by `kms` takes the place of the password. */
export async function readSshLogin(
  authentication: AuthenticationInfo | undefined,
  keys: KeyStore | undefined,
): Promise<SshLoginReading> {
  const type = authentication?.type;
  if (authentication === undefined || (type !== 'user-auth' && type !== 'private-key')) {
    return unusable(
      type === undefined
        ? 'The target has no authentication information, which ssh needs.'
        : `The authentication type ${type} is not supported by ssh.`,
    );
  }
  const { username = '' } = authentication;
  if (isBlank(username)) return unusable('The user name is empty.');
  if (type === 'private-key') return readOwnKey(username, authentication);
  if (authentication.kms === true) {
    return readKeptKey(username, authentication.kms_key_identifier ?? '', keys);
  }
  const { password = '' } = authentication;
  if (isBlank(password)) return unusable('The password is empty.');
  return { ok: true, login: { username, kind: 'password', password } };
}

async function readOwnKey(
  username: string,
  { private_key: pem = '', passphrase = '' }: AuthenticationInfo,
): Promise<SshLoginReading> {
  if (isBlank(pem)) return unusable('The private key is empty.');
  const reading = await readPrivateKey(pem, passphrase === '' ? undefined : passphrase);
  return reading.ok
    ? { ok: true, login: { username, kind: 'key', key: reading.key } }
    : unusable(`The private key is not usable: ${reading.reason}.`);
}

async function readKeptKey(
  username: string,
  identifier: string,
  keys: KeyStore | undefined,
): Promise<SshLoginReading> {
  if (isBlank(identifier)) return unusable('The kms_key_identifier is empty.');
  if (keys === undefined) {
    return unusable(
      `The key ${identifier} is not available: key management is off (ENABLE_SSH_KMS).`,
    );
  }
  const name = parseKeyName(identifier);
  const found = name === undefined ? undefined : await findKey(keys, name);
  if (found === 'unreachable') {
    const reason = `The key ${identifier} is not available: the directory of SSH keys cannot be read.`;
    return { ok: false, failure: { status: 'server_side_error', reason } };
  }
  if (found === undefined) return unusable(`The key ${identifier} is not available.`);
  const reading = await readOnce(found);
  return reading.ok
    ? { ok: true, login: { username, kind: 'key', key: reading.key } }
    : unusable(`The key ${identifier} is not usable: ${reading.reason}.`);
}

async function findKey(keys: KeyStore, name: KeyName) {
  try {
    return await keys.find(name);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'key-directory-unreadable') return 'unreachable';
    throw error;
  }
}

/** Opening an encrypted key takes long, and the store hands out the same object until the key changes. */
const readings = new WeakMap<PrivateKey, Promise<PrivateKeyReading>>();

function readOnce(key: PrivateKey): Promise<PrivateKeyReading> {
  const reading = readings.get(key) ?? readPrivateKey(key.pem, key.passphrase);
  readings.set(key, reading);
  return reading;
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

function unusable(reason: string): SshLoginReading {
  return { ok: false, failure: { status: 'client_side_error', reason } };
}
