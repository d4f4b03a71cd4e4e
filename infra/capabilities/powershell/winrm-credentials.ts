/**
 * The account a powershell command logs in with. The type of the authentication object is not reliable in
 * playbooks in the field, so any type that holds a user name and a password will do.
 */

import type { AuthenticationInfo } from '../../../core/cacao/playbook.ts';
import type { Credentials } from './wsman/log-in.ts';

export type CredentialsFound = { readonly credentials: Credentials } | { readonly problem: string };

const accountTypes: readonly string[] = ['user-auth', 'http-basic'];

export function winRmCredentials(info: AuthenticationInfo | undefined): CredentialsFound {
  if (info === undefined) return { problem: 'powershell needs a user name and a password' };
  const username = info.username || info.user_id || '';
  const password = info.password ?? '';
  if (username !== '' && password !== '') return { credentials: { username, password } };
  if (!accountTypes.includes(info.type)) {
    return { problem: `authentication type ${info.type} is not supported by powershell` };
  }
  return { problem: username === '' ? 'the user name is empty' : 'the password is empty' };
}
