/**
 * One directory of key pairs: `<name>` and `<name>.pub`, as ssh-keygen makes them.
 *
 * P1  A pair exists once both files are there; the public one is written last and moved away first.
 * P2  Exclusive creation of the private file decides who gets a name, between processes too.
 * P3  A passphrase given with a key lies in `.passphrases/<name>` and is deleted on revocation: what
 *     is left in `.revoked` opens no more doors than what was handed in.
 */

import { chmod, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeyName, NewKey } from '../../core/ports/key-store.ts';
import {
  createFile,
  ensureDirectory,
  hasCode,
  isRegularFile,
  isTaken,
  moveToFreeName,
  readKeyFile,
  replaceFile,
} from './key-files.ts';

const privateMode = 0o600;
const publicMode = 0o644;

export class KeyPairFiles {
  readonly #directory: string;
  readonly #passphrases: string;
  readonly #revoked: string;

  constructor(directory: string) {
    this.#directory = directory;
    this.#passphrases = join(directory, '.passphrases');
    this.#revoked = join(directory, '.revoked');
  }

  /** What stands before `.pub`, whether it is a permitted key name or not; sorted. */
  async names(): Promise<readonly string[]> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const files = await readdir(this.#directory);
    return files
      .filter((file) => file.endsWith('.pub') && !file.startsWith('.'))
      .map((file) => file.slice(0, -'.pub'.length))
      .sort();
  }

  /** Rejects when a file cannot be read or is not a regular one. */
  async read(name: KeyName): Promise<NewKey> {
    const publicKey = await readKeyFile(this.#public(name));
    const privateKey = await readKeyFile(this.#private(name));
    const passphrase = await this.#readPassphrase(name);
    // ssh-keygen and copying may leave it readable for others; a read-only directory keeps its modes.
    await chmod(this.#private(name), privateMode).catch(() => undefined);
    return { publicKey, privateKey, ...(passphrase === undefined ? {} : { passphrase }) };
  }

  async exists(name: KeyName): Promise<boolean> {
    return (await isRegularFile(this.#private(name))) || (await isRegularFile(this.#public(name)));
  }

  /** Answers false, and changes nothing, when a file of that name is there. */
  async create(name: KeyName, key: NewKey): Promise<boolean> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    if (await isTaken(this.#public(name))) return false;
    if (!(await createFile(this.#private(name), key.privateKey, privateMode))) return false;
    try {
      await this.#keepPassphrase(name, key.passphrase);
      if (await createFile(this.#public(name), key.publicKey, publicMode)) return true;
    } catch (error) {
      await this.#forgetPrivate(name);
      throw error;
    }
    await this.#forgetPrivate(name);
    return false;
  }

  /**
   * A crash halfway leaves halves that do not match: the key is then reported by the next refresh,
   * and replacing it again repairs it.
   */
  async replace(name: KeyName, key: NewKey): Promise<void> {
    await replaceFile(this.#private(name), key.privateKey, privateMode);
    await this.#keepPassphrase(name, key.passphrase);
    await replaceFile(this.#public(name), key.publicKey, publicMode);
  }

  /** Moves what there is of the pair; both files get the same ending, whatever was revoked before. */
  async revoke(name: KeyName, stamp: string): Promise<void> {
    await ensureDirectory(this.#revoked);
    const moves = [`${name}.pub`, name];
    for (let attempt = 0; ; attempt += 1) {
      const ending = `.revoked_${stamp}${attempt === 0 ? '' : `_${attempt}`}`;
      const targets = moves.map((file) => join(this.#revoked, `${file}${ending}`));
      const taken = await Promise.all(targets.map(isTaken));
      if (!taken.includes(true) && (await this.#moveAside(moves, ending))) break;
    }
    await this.#keepPassphrase(name, undefined);
  }

  /** Answers false when a name was taken meanwhile; the rest is moved by the next attempt. */
  async #moveAside(files: readonly string[], ending: string): Promise<boolean> {
    for (const file of files) {
      const from = join(this.#directory, file);
      if (!(await isTaken(from))) continue;
      if (!(await moveToFreeName(from, join(this.#revoked, `${file}${ending}`)))) return false;
    }
    return true;
  }

  async #readPassphrase(name: KeyName): Promise<string | undefined> {
    try {
      return await readKeyFile(join(this.#passphrases, name));
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  async #keepPassphrase(name: KeyName, passphrase: string | undefined): Promise<void> {
    const path = join(this.#passphrases, name);
    if (passphrase === undefined) return rm(path, { force: true });
    await ensureDirectory(this.#passphrases);
    await replaceFile(path, passphrase, privateMode);
  }

  async #forgetPrivate(name: KeyName): Promise<void> {
    await rm(this.#private(name), { force: true });
    await this.#keepPassphrase(name, undefined);
  }

  #private(name: KeyName): string {
    return join(this.#directory, name);
  }

  #public(name: KeyName): string {
    return join(this.#directory, `${name}.pub`);
  }
}
