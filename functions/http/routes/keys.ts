/** /keymanagement: SSH keys kept by the service (spec, SSH key management). Private parts never leave it. */

import { Type } from 'typebox';
import { callerLabel } from '../../../core/access/caller-label.ts';
import type { RefusalCode } from '../../../core/errors/catalogue.ts';
import { Refusal } from '../../../core/errors/refusal.ts';
import {
  type KeyExists,
  type KeyInvalid,
  type KeyMissing,
  type KeyName,
  type KeyStore,
  type KeyStored,
  type NewKey,
  parseKeyName,
} from '../../../core/ports/key-store.ts';
import { requireObject } from '../read-json.ts';
import type { Call, Parameter, Route } from '../route.ts';

const tag = 'keymanagement';

const newKeySchema = Type.Object(
  {
    public: Type.String({ description: 'One line as in authorized_keys' }),
    private: Type.String({ description: 'PEM' }),
    passphrase: Type.Optional(Type.String()),
  },
  { title: 'NewKey' },
);

const nothingSchema = Type.Object({}, { title: 'Nothing' });

const refreshedSchema = Type.Object(
  {
    loaded: Type.Array(Type.String()),
    problems: Type.Array(Type.Object({ name: Type.String(), reason: Type.String() })),
  },
  { title: 'RefreshedKeys' },
);

const keyNameParameter: Parameter = {
  in: 'path',
  name: 'keyName',
  description: 'Name of the private key file',
  schema: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' }),
};

const done = { 200: { description: 'It is done', schema: nothingSchema } };
const common: readonly RefusalCode[] = ['key-management-off', 'key-directory-unreadable'];

export const keyRoutes: readonly Route[] = [
  {
    name: 'key-list',
    method: 'GET',
    path: 'keymanagement',
    needs: 'admin',
    tag,
    summary: 'The names of the keys',
    answers: { 200: { description: 'The names', schema: Type.Array(Type.String()) } },
    refusals: common,
    handle: async ({ composition }) => ({
      status: 200,
      body: await keysOf(composition.keys).list(),
    }),
  },
  {
    name: 'key-refresh',
    method: 'POST',
    path: 'keymanagement/refresh',
    needs: 'admin',
    tag,
    summary: 'Read the key directory anew; what cannot be used is named',
    answers: { 200: { description: 'What was read', schema: refreshedSchema } },
    refusals: common,
    handle: async (call) => {
      const refreshed = await keysOf(call.composition.keys).refresh();
      record(call, 'keys_refreshed', {});
      return { status: 200, body: refreshed };
    },
  },
  {
    name: 'key-add',
    method: 'PUT',
    path: 'keymanagement/{keyName}',
    needs: 'admin',
    tag,
    summary: 'Add a key pair',
    parameters: [keyNameParameter],
    body: { schema: newKeySchema, required: true },
    answers: done,
    refusals: [...common, 'key-name-invalid', 'key-exists', 'key-invalid', 'body-invalid'],
    handle: async (call) => {
      const keys = keysOf(call.composition.keys);
      const name = keyNameOf(call);
      accept(name, await keys.add(name, await newKeyOf(call)));
      record(call, 'key_added', { key: name });
      return { status: 200, body: {} };
    },
  },
  {
    name: 'key-replace',
    method: 'PATCH',
    path: 'keymanagement/{keyName}',
    needs: 'admin',
    tag,
    summary: 'Replace a key pair',
    parameters: [keyNameParameter],
    body: { schema: newKeySchema, required: true },
    answers: done,
    refusals: [...common, 'key-name-invalid', 'key-missing', 'key-invalid', 'body-invalid'],
    handle: async (call) => {
      const keys = keysOf(call.composition.keys);
      const name = keyNameOf(call);
      accept(name, await keys.replace(name, await newKeyOf(call)));
      record(call, 'key_replaced', { key: name });
      return { status: 200, body: {} };
    },
  },
  {
    name: 'key-revoke',
    method: 'DELETE',
    path: 'keymanagement/{keyName}',
    needs: 'admin',
    tag,
    summary: 'Revoke a key pair: it is moved into .revoked with the date and time',
    parameters: [keyNameParameter],
    answers: done,
    refusals: [...common, 'key-name-invalid', 'key-missing'],
    handle: async (call) => {
      const name = keyNameOf(call);
      accept(name, await keysOf(call.composition.keys).revoke(name));
      record(call, 'key_revoked', { key: name });
      return { status: 200, body: {} };
    },
  },
];

function keysOf(keys: KeyStore | undefined): KeyStore {
  if (keys === undefined) throw new Refusal('key-management-off');
  return keys;
}

function keyNameOf(call: Call): KeyName {
  const text = call.param('keyName');
  const name = parseKeyName(text);
  if (name === undefined) throw new Refusal('key-name-invalid', text);
  return name;
}

async function newKeyOf(call: Call): Promise<NewKey> {
  const body = requireObject(await call.json());
  const { public: publicKey, private: privateKey, passphrase } = body;
  if (typeof publicKey !== 'string') throw new Refusal('body-invalid', 'public is not a text');
  if (typeof privateKey !== 'string') throw new Refusal('body-invalid', 'private is not a text');
  if (passphrase === undefined || passphrase === null) return { publicKey, privateKey };
  if (typeof passphrase !== 'string') throw new Refusal('body-invalid', 'passphrase is not a text');
  return { publicKey, privateKey, passphrase };
}

function accept(name: KeyName, result: KeyStored | KeyExists | KeyMissing | KeyInvalid): void {
  if (result.ok) return;
  if (result.code === 'key-invalid') throw new Refusal(result.code, result.part, result.reason);
  throw new Refusal(result.code, name);
}

type KeyEvent = 'key_added' | 'key_replaced' | 'key_revoked' | 'keys_refreshed';

function record({ composition, caller }: Call, event: KeyEvent, fields: { key?: string }): void {
  composition.securityLog.record(event, { ...fields, caller: callerLabel(caller) });
}
