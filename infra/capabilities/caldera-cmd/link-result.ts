/**
 * What became of one link, that is of one ability on one agent. Its output comes base64 or as text, in the
 * link itself or under the link's result, depending on the version of the server.
 */

import { isRecord, textMember } from './json-shape.ts';

export type Fact = { readonly name: string; readonly value: string };

export type Link = {
  readonly id: string | undefined;
  readonly paw: string;
  /** 0 success, 1 error, 124 timeout, negative: not run. */
  readonly status: number;
  readonly facts: readonly Fact[];
  /** Undefined when the link itself does not hold it. */
  readonly output: string | undefined;
};

/** Undefined when the value is not a link. */
export function readLink(value: unknown): Link | undefined {
  if (!isRecord(value) || typeof value['status'] !== 'number') return undefined;
  const facts = Array.isArray(value['facts']) ? value['facts'] : [];
  return {
    id: textMember(value, 'id'),
    paw: textMember(value, 'paw') ?? '',
    status: value['status'],
    facts: facts.flatMap(readFact),
    output: readOutput(value['output']),
  };
}

/** The output under a link's result: base64 or text, of the plain output or of its streams in JSON. */
export function readResult(value: unknown): string | undefined {
  return readOutput(isRecord(value) ? value['result'] : undefined);
}

/** What the status of a link means. */
export function describeStatus(status: number): string {
  if (status === 1) return 'ended with an error';
  if (status === 124) return 'ran out of time';
  return status < 0 ? `was not run (status ${status})` : `ended with status ${status}`;
}

/** Newer servers put only the word True or False here: whether there is any output. */
function readOutput(value: unknown): string | undefined {
  if (typeof value !== 'string' || /^(?:true|false)?$/i.test(value)) return undefined;
  return joinStreams(decodeBase64(value) ?? value);
}

/** Text of fewer characters than this can be base64 by chance. */
const SHORT = 16;

/** Undefined when the text is not base64 of UTF-8: then it is the output itself. */
function decodeBase64(text: string): string | undefined {
  const packed = text.replace(/\s+/g, '');
  const bytes = Buffer.from(packed, 'base64');
  if (bytes.toString('base64') !== packed) return undefined;
  const decoded = bytes.toString('utf8');
  if (decoded.includes('\uFFFD')) return packed.length < SHORT ? undefined : decoded;
  const odd = /\p{Cc}/u.test(decoded.replace(/[\t\r\n]/g, ''));
  return odd && packed.length < SHORT ? undefined : decoded;
}

function joinStreams(text: string): string {
  if (!text.startsWith('{')) return text;
  try {
    const streams: unknown = JSON.parse(text);
    const { stdout, stderr } = isRecord(streams) ? streams : {};
    if (typeof stdout !== 'string') return text;
    return typeof stderr === 'string' ? stdout + stderr : stdout;
  } catch {
    return text;
  }
}

function readFact(value: unknown): Fact[] {
  const name = textMember(value, 'name') ?? textMember(value, 'trait');
  const content = isRecord(value) ? value['value'] : undefined;
  if (name === undefined || content === undefined || content === null) return [];
  return [{ name, value: typeof content === 'string' ? content : JSON.stringify(content) }];
}
