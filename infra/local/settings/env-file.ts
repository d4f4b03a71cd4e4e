/** Reads the text of a `.env` file: one setting per line, `KEY=value` or `KEY: value`. */

export type EnvFile = {
  readonly values: Readonly<Record<string, string>>;
  /** Numbers of the lines that are neither a setting nor a comment, counted from 1. */
  readonly badLines: readonly number[];
};

const setting = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.]*)(?:\s*=|:(?=\s|$)|:(?=["']))(.*)$/;

/**
 * Values may stand in quotes; double quotes know \n, \t, \" and \\. A # begins a comment at the start
 * of a line, after a blank and after a closing quote. A later line for the same key wins.
 */
export function parseEnvFile(text: string): EnvFile {
  const values: Record<string, string> = {};
  const badLines: number[] = [];
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const [, key, rest] = setting.exec(line) ?? [];
    const value = rest === undefined ? undefined : readValue(rest.trim());
    if (key === undefined || value === undefined) badLines.push(index + 1);
    else values[key] = value;
  }
  return { values, badLines };
}

const quoted = /^(?:"((?:[^"\\]|\\.)*)"|'([^']*)')\s*(?:#.*)?$/;

function readValue(text: string): string | undefined {
  if (!/^["']/.test(text)) return text.replace(/(?:^|\s)#.*$/, '').trimEnd();
  const [match, double, single] = quoted.exec(text) ?? [];
  if (match === undefined) return undefined;
  return single ?? double?.replace(/\\(.)/g, (_all, mark: string) => escapes[mark] ?? mark);
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };
