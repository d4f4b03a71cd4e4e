/**
 * The keys of a directory, served from a cache.
 *
 * K1  The cache changes only after the files did, and only through `refresh` does it see what others did.
 * K2  Mutations run one after the other, so a check and the change that follows it are one.
 */

import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '../../core/errors/refusal.ts';
import type { Clock } from '../../core/ports/clock.ts';
import {
  type KeyExists,
  type KeyInvalid,
  type KeyMissing,
  type KeyName,
  type KeyProblem,
  type KeyStore,
  type KeyStored,
  type NewKey,
  type PrivateKey,
  parseKeyName,
} from '../../core/ports/key-store.ts';
import { checkKeyPair } from './check-key-pair.ts';
import { hasCode } from './key-files.ts';
import { KeyPairFiles } from './key-pair-files.ts';

export type FileKeyStoreOptions = {
  readonly directory: string;
  /** Opens every encrypted key that came without a passphrase of its own. */
  readonly passphrase?: string | undefined;
  readonly clock: Clock;
};

type CachedKey = { readonly kept: NewKey; readonly key: PrivateKey };
type Cache = ReadonlyMap<KeyName, CachedKey>;

const stored: KeyStored = { ok: true };

export class FileKeyStore implements KeyStore {
  readonly #files: KeyPairFiles;
  readonly #passphrase: string | undefined;
  readonly #clock: Clock;
  #cache: Cache | undefined;
  #lastTask: Promise<unknown> = Promise.resolve();

  constructor(options: FileKeyStoreOptions) {
    this.#files = new KeyPairFiles(options.directory);
    this.#passphrase = options.passphrase;
    this.#clock = options.clock;
  }

  async list(): Promise<readonly KeyName[]> {
    return [...(await this.#cached()).keys()].sort();
  }

  async find(name: KeyName): Promise<PrivateKey | undefined> {
    return (await this.#cached()).get(name)?.key;
  }

  add(name: KeyName, key: NewKey): Promise<KeyStored | KeyExists | KeyInvalid> {
    return this.#alone(async () => {
      const checked = await this.#check(key);
      if (!checked.ok) return checked;
      const cache = await this.#load();
      if (!(await this.#files.create(name, checked.value.kept))) {
        return { ok: false, code: 'key-exists' };
      }
      this.#cache = new Map(cache).set(name, checked.value);
      return stored;
    });
  }

  replace(name: KeyName, key: NewKey): Promise<KeyStored | KeyMissing | KeyInvalid> {
    return this.#alone(async () => {
      if (!(await this.#files.exists(name))) return { ok: false, code: 'key-missing' };
      const checked = await this.#check(key);
      if (!checked.ok) return checked;
      const cache = await this.#load();
      await this.#files.replace(name, checked.value.kept);
      this.#cache = new Map(cache).set(name, checked.value);
      return stored;
    });
  }

  revoke(name: KeyName): Promise<KeyStored | KeyMissing> {
    return this.#alone(async () => {
      if (!(await this.#files.exists(name))) return { ok: false, code: 'key-missing' };
      const cache = new Map(await this.#load());
      cache.delete(name);
      // K1 turned round: whatever becomes of the files, a revoked key is not used any more.
      this.#cache = cache;
      await this.#files.revoke(name, utcStamp(this.#clock.now()));
      return stored;
    });
  }

  refresh(): Promise<{ loaded: readonly KeyName[]; problems: readonly KeyProblem[] }> {
    return this.#alone(async () => {
      const { cache, problems } = await this.#readAll();
      this.#cache = cache;
      return { loaded: [...cache.keys()], problems };
    });
  }

  /** For readers: they wait for others only while nothing is cached yet. */
  async #cached(): Promise<Cache> {
    return this.#cache ?? this.#alone(() => this.#load());
  }

  /** For mutations, which are alone already. */
  async #load(): Promise<Cache> {
    this.#cache ??= (await this.#readAll()).cache;
    return this.#cache;
  }

  async #readAll(): Promise<{ cache: Cache; problems: readonly KeyProblem[] }> {
    const cache = new Map<KeyName, CachedKey>();
    const problems: KeyProblem[] = [];
    for (const file of await this.#files.names()) {
      const name = parseKeyName(file);
      const key = name === undefined ? 'it is not a permitted key name' : await this.#readOne(name);
      if (typeof key === 'string') problems.push({ name: file, reason: key });
      else if (name !== undefined) cache.set(name, key);
    }
    return { cache, problems };
  }

  /** The key, or what is wrong with it. An unchanged key is not checked again and stays the same object. */
  async #readOne(name: KeyName): Promise<CachedKey | string> {
    const read = await this.#files.read(name).catch(describeUnreadable);
    if (typeof read === 'string') return read;
    const known = this.#cache?.get(name);
    if (known !== undefined && isDeepStrictEqual(known.kept, read)) return known;
    const checked = await this.#check(read);
    return checked.ok ? checked.value : `the ${checked.part} key is not valid: ${checked.reason}`;
  }

  async #check(given: NewKey): Promise<{ ok: true; value: CachedKey } | KeyInvalid> {
    const checked = await checkKeyPair(given, this.#passphrase);
    if (!checked.ok) return checked;
    const passphrase = checked.encrypted ? (given.passphrase ?? this.#passphrase) : undefined;
    const key = {
      pem: checked.key.privateKey,
      ...(passphrase === undefined ? {} : { passphrase }),
    };
    return { ok: true, value: { kept: checked.key, key } };
  }

  #alone<Value>(task: () => Promise<Value>): Promise<Value> {
    const result = this.#lastTask.then(task).catch((cause: unknown) => {
      const fromFileSystem = cause instanceof Error && 'syscall' in cause;
      throw fromFileSystem ? new Refusal('key-directory-unreadable').with({}, cause) : cause;
    });
    this.#lastTask = result.catch(() => undefined);
    return result;
  }
}

/** What a missing half or a link in its place is called in the list of problems. */
function describeUnreadable(error: unknown): string {
  if (hasCode(error, 'ENOENT')) return 'the private key file is missing';
  return hasCode(error, 'ELOOP') ? 'it is a link' : 'it cannot be read';
}

/** `20250131T235959Z`: sorts by time and is a file name everywhere. */
function utcStamp(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '');
}
