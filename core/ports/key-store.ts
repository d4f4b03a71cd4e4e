/** SSH keys kept by the service (spec, SSH key management): what key management and ssh need of them. */

declare const brand: unique symbol;
/** The name of a private key file; safe as a file name, see `parseKeyName`. */
export type KeyName = string & { readonly [brand]: 'KeyName' };

/** What a caller hands in. `publicKey` is one authorized_keys line, `privateKey` a PEM text. */
export type NewKey = {
  readonly publicKey: string;
  readonly privateKey: string;
  /** Opens an encrypted private key; ignored for one that is not encrypted. */
  readonly passphrase?: string;
};

/** Private material. Only the ssh capability may ask for it; never report, log or answer it. */
export type PrivateKey = {
  readonly pem: string;
  /** Absent when the key is not encrypted. */
  readonly passphrase?: string;
};

export type KeyProblem = { readonly name: string; readonly reason: string };

/** Refused because the parts are no keys, or do not belong together. `reason` holds no key material. */
export type KeyInvalid = {
  readonly ok: false;
  readonly code: 'key-invalid';
  readonly part: 'public' | 'private';
  readonly reason: string;
};
export type KeyExists = { readonly ok: false; readonly code: 'key-exists' };
export type KeyMissing = { readonly ok: false; readonly code: 'key-missing' };
export type KeyStored = { readonly ok: true };

/**
 * Keeps key pairs by name and serves them from a cache; what others put in place is seen after `refresh`.
 * Every operation rejects with the refusal `key-directory-unreadable` when the keys cannot be reached.
 * Adapters pass `tests/contracts/key-store.contract.ts`.
 */
export interface KeyStore {
  /** The names of usable keys, sorted. */
  list(): Promise<readonly KeyName[]>;
  /** Refuses a taken name, also under concurrent calls; the pair is kept whole or not at all. */
  add(name: KeyName, key: NewKey): Promise<KeyStored | KeyExists | KeyInvalid>;
  /** Refuses an unknown name, and leaves the old pair untouched when the new one is not valid. */
  replace(name: KeyName, key: NewKey): Promise<KeyStored | KeyMissing | KeyInvalid>;
  /** Takes the pair out of use and keeps it aside, dated, for whoever wants to recover or delete it. */
  revoke(name: KeyName): Promise<KeyStored | KeyMissing>;
  /** Reads all keys anew. Keeps the cached ones when that is impossible. */
  refresh(): Promise<{
    readonly loaded: readonly KeyName[];
    readonly problems: readonly KeyProblem[];
  }>;
  /** The same object until the key changes, so callers may remember what they made of it. */
  find(name: KeyName): Promise<PrivateKey | undefined>;
}

const keyName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Answers undefined for a text that could leave the directory, or be taken for a public key or a route. */
export function parseKeyName(text: string): KeyName | undefined {
  return keyName.test(text) && !text.endsWith('.pub') && text !== 'refresh'
    ? (text as KeyName)
    : undefined;
}
