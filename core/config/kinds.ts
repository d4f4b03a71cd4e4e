/** The kinds of values a variable can hold: how each reads its text, and what it expects when it cannot. */

import { type LogLevel, logLevels } from '../ports/log.ts';

export type Kind<Value> = {
  /** All values there are, when they can be listed. */
  readonly choices?: readonly string[];
  /** Completes the sentence "expected …". */
  readonly expected: string;
  /** Answers undefined for a text that is not of this kind. The text is trimmed and not empty. */
  readonly parse: (text: string) => Value | undefined;
};

const yes = new Set(['1', 't', 'true', 'y', 'yes', 'on']);
const no = new Set(['0', 'f', 'false', 'n', 'no', 'off']);

export const flag: Kind<boolean> = {
  expected: 'true or false',
  parse: (text) => {
    const word = text.toLowerCase();
    if (yes.has(word)) return true;
    return no.has(word) ? false : undefined;
  },
};

export const anyText: Kind<string> = { expected: 'a text', parse: (text) => text };

export const path: Kind<string> = { expected: 'a path', parse: (text) => text };

export const hostName: Kind<string> = {
  expected: 'a host name or address without scheme, port and path',
  parse: (text) => (/^[^\s/@]+$/.test(text) ? text : undefined),
};

/** A text in which everything matches. */
export function pattern(whole: RegExp, expected: string): Kind<string> {
  return { expected, parse: (text) => (whole.test(text) ? text : undefined) };
}

/** Both ends belong to the range. */
export function wholeNumber(least: number, most: number = Number.MAX_SAFE_INTEGER): Kind<number> {
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`;
  return {
    expected: `a whole number ${range}`,
    parse: (text) => {
      const value = /^[+-]?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return value >= least && value <= most ? value : undefined;
    },
  };
}

export const port: Kind<number> = wholeNumber(1, 65_535);

/** Compared without regard to case. */
export function oneOf<const Value extends string>(values: readonly Value[]): Kind<Value> {
  return {
    choices: values,
    expected: `one of ${values.join(', ')}`,
    parse: (text) => values.find((value) => value.toLowerCase() === text.toLowerCase()),
  };
}

export const logLevel: Kind<LogLevel> = oneOf(logLevels);

/** Separated by commas; blanks around the parts and empty parts are dropped. At least one must remain. */
export function listOf(what: string, pattern: RegExp): Kind<readonly string[]> {
  return {
    expected: `${what}, separated by commas`,
    parse: (text) => {
      const parts = splitList(text);
      return parts.length > 0 && parts.every((part) => pattern.test(part)) ? parts : undefined;
    },
  };
}

/** Kept as written: comparing issuers needs the exact text. */
export const webUrl: Kind<string> = {
  expected: 'an absolute http or https URL',
  parse: (text) => (parseWebUrl(text) === undefined ? undefined : text),
};

/** A URL whose answers are trusted: https, or http on the loopback. */
export const trustedUrl: Kind<string> = {
  expected: 'an https URL (http only on the loopback)',
  parse: (text) => {
    const url = parseWebUrl(text);
    if (url === undefined) return undefined;
    return url.protocol === 'https:' || isLoopback(url.hostname) ? text : undefined;
  },
};

/** Origins as browsers send them, or `*` for any. */
export const origins: Kind<'any' | readonly string[]> = {
  expected: '* or origins such as https://soc.example, separated by commas',
  parse: (text) => {
    const parts = splitList(text);
    if (parts.includes('*')) return 'any';
    const parsed = parts.map((part) => parseWebUrl(part));
    const plain = parsed.every((url) => url !== undefined && isOrigin(url));
    return parts.length > 0 && plain ? parsed.flatMap((url) => url?.origin ?? []) : undefined;
  },
};

function splitList(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function parseWebUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
}

function isOrigin(url: URL): boolean {
  return url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '';
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}
