/** Credentials as fins accept them: an id, one of three types, and only members of those. */

import type { AuthenticationInfo } from '../../../core/cacao/playbook.ts';
import type { JsonObject } from '../../../core/json.ts';

export type EncodedAuthentication =
  | { readonly ok: true; readonly authentication: JsonObject | undefined }
  /** `reason` is a sentence for the report. */
  | { readonly ok: false; readonly reason: string };

const types: ReadonlySet<string> = new Set(['http-basic', 'oauth2', 'user-auth']);

const texts = [
  'name',
  'description',
  'user_id',
  'username',
  'password',
  'oauth_header',
  'token',
  'kms_key_identifier',
] as const;

/** Refuses a type that fins do not know: sending it would silence the usual library for ever. */
export function encodeAuthentication(
  info: AuthenticationInfo | undefined,
  id: string | undefined,
): EncodedAuthentication {
  if (info === undefined) return { ok: true, authentication: undefined };
  if (!types.has(info.type) || id === undefined) {
    const reason = `Authentication of the type ${info.type || '(none)'} is not supported by fins.`;
    return { ok: false, reason };
  }
  const members = texts.flatMap((name) => {
    const text = info[name];
    return text === undefined ? [] : [[name, text] as const];
  });
  const authentication = {
    id,
    type: info.type,
    ...Object.fromEntries(members),
    kms: info.kms ?? false,
  };
  return { ok: true, authentication };
}
