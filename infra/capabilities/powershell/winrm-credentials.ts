/**
 * The account a powershell command logs in with. The type of the authentication object is not reliable in
 * playbooks in the field, so any type that holds a user name and a password will do.
 */

import type { AuthenticationInfo } from '../../../core/cacao/playbook.ts';
import type { Credentials } from './wsman/log-in.ts';

export type CredentialsReading =
  | { readonly ok: true; readonly credentials: Credentials }
  | { readonly ok: false; readonly reason: string };

const accountTypes: readonly string[] = ['user-auth', 'http-basic'];

export function readCredentials(info: AuthenticationInfo | undefined): CredentialsReading {
  if (info === undefined) return unusable('A powershell command needs a user name and a password.');
  const username = info.username || info.user_id || '';
  const password = info.password ?? '';
  if (username !== '' && password !== '') return { ok: true, credentials: { username, password } };
  if (!accountTypes.includes(info.type)) {
    return unusable(`The authentication type ${info.type} is not supported by powershell.`);
  }
  return unusable(username === '' ? 'The user name is empty.' : 'The password is empty.');
}

function unusable(reason: string): CredentialsReading {
  return { ok: false, reason };
}
