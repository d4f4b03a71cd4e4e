/**
 * One log event as one line of text.
 *
 * L1  Rendering is total: whatever is logged, a line comes out, and it has no line break inside.
 * L2  Every string passes the redactor before it is quoted, so that escaping cannot hide a secret.
 * L3  component, level, msg and time belong to the line; a field of that name becomes `field.<name>`.
 */

import type { LogFields, LogLevel } from '../../core/ports/log.ts';

export type LogEntry = {
  readonly atMs: number;
  readonly level: LogLevel;
  readonly component: string;
  readonly event: string;
  readonly fields: LogFields | undefined;
};

export type Redact = (text: string) => string;
export type LineFormat = (entry: LogEntry, redact: Redact) => string;

export const jsonLine: LineFormat = (entry, redact) =>
  `${JSON.stringify(toRecord(entry, redact))}\n`;

export const textLine: LineFormat = (entry, redact) => {
  const pairs = Object.entries(toRecord(entry, redact));
  return `${pairs.map(([key, value]) => `${key}=${toText(value)}`).join(' ')}\n`;
};

type PlainRecord = { [key: string]: unknown };

const reserved = new Set(['component', 'level', 'msg', 'time']);

function toRecord(entry: LogEntry, redact: Redact): PlainRecord {
  const record: PlainRecord = {
    time: timestamp(entry.atMs),
    level: entry.level,
    component: entry.component,
    msg: entry.event,
  };
  if (entry.fields === undefined) return record;
  const walk: Walk = { redact, valuesLeft: mostValues };
  for (const [key, value] of entriesOf(entry.fields)) {
    if (value === undefined) continue;
    record[reserved.has(key) ? `field.${key}` : key] = toPlain(value, walk, 0);
  }
  return record;
}

// The limits also end the walk round a cycle, and through an object that holds half the process.
type Walk = { readonly redact: Redact; valuesLeft: number };
const mostValues = 500;
const deepest = 6;
const longestText = 16_384;

function toPlain(value: unknown, walk: Walk, depth: number): unknown {
  walk.valuesLeft -= 1;
  if (typeof value === 'string') return shorten(walk.redact(value));
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth === deepest || walk.valuesLeft <= 0) return '[more]';
  if (value instanceof Error) return errorToPlain(value, walk, depth);
  if (Array.isArray(value)) return value.map((item) => toPlain(item, walk, depth + 1));
  return Object.fromEntries(
    entriesOf(value).map(([key, item]) => [walk.redact(key), toPlain(item, walk, depth + 1)]),
  );
}

function errorToPlain(error: Error, walk: Walk, depth: number): unknown {
  const code: unknown = 'code' in error ? error.code : undefined;
  return {
    name: error.name,
    message: toPlain(error.message, walk, depth + 1),
    ...(code === undefined ? {} : { code: toPlain(code, walk, depth + 1) }),
    ...(error.stack === undefined ? {} : { stack: toPlain(error.stack, walk, depth + 1) }),
    ...(error.cause === undefined ? {} : { cause: toPlain(error.cause, walk, depth + 1) }),
  };
}

function shorten(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}

// A getter of a foreign object may throw; the line then says so instead of taking the caller down.
function entriesOf(value: object): readonly (readonly [string, unknown])[] {
  try {
    return Object.entries(value);
  } catch {
    return [['unreadable', true]];
  }
}

function toText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[\w.:/@+-]+$/.test(text) ? text : JSON.stringify(text);
}

// Many lines share a millisecond, and formatting dates is the dearest part of a line.
let lastMs = Number.NaN;
let lastTimestamp = '';

function timestamp(atMs: number): string {
  if (atMs !== lastMs) {
    lastMs = atMs;
    lastTimestamp = new Date(atMs).toISOString();
  }
  return lastTimestamp;
}
