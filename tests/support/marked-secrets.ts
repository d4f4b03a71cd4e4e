/** Secrets that can be recognised wherever they turn up, and the search for them. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Characters that JSON, URLs and base64 spell differently; the part that is searched for is plain. */
export function mark(name: string): string {
  return `${coreOf(name)}"q\\uü@1`;
}

export function coreOf(name: string): string {
  return `Mk${name}Zz`;
}

export type Found = { readonly where: string; readonly secret: string; readonly around: string };

/** Looks through a text as it is, percent-decoded, and through everything base64 in it, twice over. */
export function leaksIn(where: string, text: string, secrets: readonly string[]): readonly Found[] {
  const readings = [
    text,
    percentDecoded(text),
    ...base64In(text),
    ...base64In(text).flatMap(base64In),
  ];
  return secrets.flatMap((secret) =>
    readings.flatMap((reading) => {
      const at = reading.indexOf(secret);
      if (at === -1) return [];
      return [{ where, secret, around: reading.slice(Math.max(0, at - 60), at + 60) }];
    }),
  );
}

/** Every row of the database, one text per table; `but` names the tables that are left out. */
export function tablesOf(path: string, but: readonly string[] = []): ReadonlyMap<string, string> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    const tables = names.map(({ name }) => String(name)).filter((name) => !but.includes(name));
    return new Map(
      tables.map((name) => {
        const rows = database.prepare(`SELECT * FROM "${name}"`).all();
        return [name, rows.map((row) => Object.values(row).map(shown).join('\n')).join('\n')];
      }),
    );
  } finally {
    database.close();
  }
}

/** Every file below the directory as bytes: also what a database has deleted and not overwritten. */
export function filesBelow(directory: string): ReadonlyMap<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true });
  return new Map(
    files
      .filter((file) => file.isFile())
      .map((file) => {
        const path = join(file.parentPath, file.name);
        return [path, readFileSync(path, 'latin1')];
      }),
  );
}

function shown(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
}

function base64In(text: string): readonly string[] {
  const candidates = text.match(/[A-Za-z0-9+/_-]{12,}={0,2}/g) ?? [];
  return candidates.map((candidate) => Buffer.from(candidate, 'base64').toString('utf8'));
}

function percentDecoded(text: string): string {
  return text.replaceAll(/(%[0-9a-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}
