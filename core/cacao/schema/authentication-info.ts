/** Authentication information (CACAO 2.0, section 6), with the private-key type that ssh understands. */

import { type Static, Type } from 'typebox';
import { uuidPattern } from '../ids.ts';
import { component, flag, opaque, text } from './primitives.ts';

export const authenticationInfo = Type.Object({
  type: text,
  name: Type.Optional(text),
  description: Type.Optional(text),
  authentication_info_extensions: Type.Optional(opaque),
  user_id: Type.Optional(text),
  username: Type.Optional(text),
  password: Type.Optional(text),
  oauth_header: Type.Optional(text),
  token: Type.Optional(text),
  private_key: Type.Optional(text),
  passphrase: Type.Optional(text),
  kms: Type.Optional(flag),
  kms_key_identifier: Type.Optional(text),
});

const anyAuthenticationInfo = component('AuthenticationInfo', authenticationInfo);

/** A key kept by the service (`kms`) takes the place of the password. */
const passwordOrKey = {
  if: { properties: { kms: { const: true } }, required: ['kms'] },
  // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword.
  then: {},
  else: { required: ['password'] },
};

const kinds = {
  'http-basic': { required: ['user_id', 'password'] },
  oauth2: { required: ['oauth_header', 'token'] },
  'user-auth': { required: ['username'], ...passwordOrKey },
};

export const authenticationInfos = Type.Unsafe<{ [id: string]: Static<typeof authenticationInfo> }>(
  {
    type: 'object',
    additionalProperties: anyAuthenticationInfo,
    patternProperties: Object.fromEntries(
      Object.entries(kinds).map(([kind, needs]) => [
        `^${kind}--${uuidPattern}$`,
        { allOf: [anyAuthenticationInfo, { properties: { type: { const: kind } } }, needs] },
      ]),
    ),
  },
);
