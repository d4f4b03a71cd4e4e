/**
 * Reads known_hosts files (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT): plain, hashed and wildcard names,
 * several key types per host, and revoked keys. Certificate authorities are not supported and skipped.
 */

import { createHash, createHmac } from 'node:crypto';

export type KnownHost = {
  /** Comma separated patterns, or one hashed name. */
  readonly names: string;
  readonly revoked: boolean;
  readonly type: string;
  /** Base64 of the key blob. */
  readonly key: string;
};

export type HostKeyVerdict =
  | { readonly kind: 'trusted' | 'unknown' | 'revoked' }
  | { readonly kind: 'changed'; readonly known: readonly KnownHost[] };

/** The name a host is filed under; the port is part of it unless it is the usual one. */
export function knownHostName(host: string, port: number): string {
  const name = host.toLowerCase();
  return port === 22 ? name : `[${name}]:${port}`;
}

/** Lines that cannot be understood are skipped, as ssh does. */
export function parseKnownHosts(text: string): readonly KnownHost[] {
  return text.split('\n').flatMap(parseLine);
}

/** The keys filed under this name, revoked ones included. */
export function keysOf(known: readonly KnownHost[], name: string): readonly KnownHost[] {
  return known.filter((line) => matches(line.names, name));
}

/**
 * A host known by other keys than the one presented counts as changed, also when the presented key is of
 * a type not seen before: otherwise an impostor would only have to offer another type.
 */
export function judgeHostKey(filed: readonly KnownHost[], key: Buffer): HostKeyVerdict {
  const presented = key.toString('base64');
  const same = filed.filter((line) => line.key === presented);
  if (same.some((line) => line.revoked)) return { kind: 'revoked' };
  if (same.length > 0) return { kind: 'trusted' };
  const known = filed.filter((line) => !line.revoked);
  return known.length === 0 ? { kind: 'unknown' } : { kind: 'changed', known };
}

/** As `ssh-keygen -l` prints it. */
export function fingerprint(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

/** The type a key blob says it is (RFC 4253, section 6.6). */
export function hostKeyType(key: Buffer): string {
  const length = key.length < 4 ? 0 : key.readUInt32BE(0);
  return key.subarray(4, 4 + length).toString('latin1');
}

function parseLine(line: string): readonly KnownHost[] {
  const fields = line.trim().split(/\s+/);
  const marker = fields[0]?.startsWith('@') ? fields.shift() : undefined;
  const [names, type, key] = fields;
  if (names === undefined || names.startsWith('#') || type === undefined || key === undefined) {
    return [];
  }
  if (marker !== undefined && marker !== '@revoked') return [];
  return [{ names, revoked: marker === '@revoked', type, key }];
}

function matches(names: string, name: string): boolean {
  if (names.startsWith('|')) return isHashOf(names, name);
  const patterns = names.toLowerCase().split(',');
  const excluded = patterns.some(
    (pattern) => pattern.startsWith('!') && fits(pattern.slice(1), name),
  );
  return !excluded && patterns.some((pattern) => fits(pattern, name));
}

/** `|1|salt|hash`: the HMAC-SHA1 of the name. */
function isHashOf(hashed: string, name: string): boolean {
  const [, version, salt, hash] = hashed.split('|');
  if (version !== '1' || salt === undefined) return false;
  return createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest('base64') === hash;
}

function fits(pattern: string, name: string): boolean {
  const expression = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${expression}$`).test(name);
}
