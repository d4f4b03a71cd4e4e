/** Reads the keys whose signatures of playbooks are trusted (RFC 7517, section 5). */

import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ConfigError } from '../../core/config/config-error.ts';
import { isJsonObject, type JsonObject } from '../../core/json.ts';

const variable = 'PLAYBOOK_TRUSTED_KEYS';

/** `setting` is a key set or the path of a file with one. Refuses with a ConfigError that says what is wrong. */
export async function readTrustedKeys(setting: string): Promise<readonly KeyObject[]> {
  const text = setting.startsWith('{') ? setting : await readKeyFile(setting);
  const keys = keysOf(text);
  if (keys.length === 0) throw problem('holds no key');
  return keys.map(toPublicKey);
}

async function readKeyFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw problem(`${path} cannot be read (${error instanceof Error ? error.message : error})`);
  }
}

function keysOf(text: string): readonly JsonObject[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw problem('is not JSON');
  }
  const keys = isJsonObject(json) ? json['keys'] : undefined;
  if (!Array.isArray(keys) || !keys.every(isJsonObject)) throw problem('is not a JSON web key set');
  return keys;
}

function toPublicKey(jwk: JsonObject, at: number): KeyObject {
  // A private key has no business here; whoever put it there should learn of it.
  if (jwk['d'] !== undefined || jwk['k'] !== undefined)
    throw problem(`key ${at + 1} is not public`);
  try {
    return createPublicKey({ key: { ...jwk }, format: 'jwk' });
  } catch {
    throw problem(`key ${at + 1} cannot be used`);
  }
}

function problem(text: string): ConfigError {
  return new ConfigError([`${variable}: ${text}`]);
}
