/** Bodies of answers: never more of them than was asked for, compressed ones unpacked. */

import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';

export type Body = {
  readonly bytes: Buffer;
  /** False when there was more than the limit, or a refusal broke off. */
  readonly whole: boolean;
};

/**
 * Reads at most `limitBytes`; leaving the loop early makes the stream give up the connection. With
 * `brokenOff` a body that ends too soon is taken as far as it came.
 */
export async function readBody(
  stream: AsyncIterable<Uint8Array>,
  limitBytes: number,
  brokenOff: 'fails' | 'will-do',
): Promise<Body> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let whole = true;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      size += chunk.length;
      whole = size <= limitBytes;
      if (!whole) break;
    }
  } catch (error) {
    if (brokenOff === 'fails') throw error;
    whole = false;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, limitBytes), whole };
}

type Decoder = (packed: Buffer, limit: { maxOutputLength: number }) => Promise<Buffer>;

const unzip: Decoder = promisify(gunzip);
const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', unzip],
  ['x-gzip', unzip],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
  ['zstd', promisify(zstdDecompress)],
]);

/**
 * Undoes the content coding (RFC 9110, section 8.4.1); playbooks copied from elsewhere ask for one in
 * Accept-Encoding. An unknown coding is left alone. Throws when the bytes are not what they are said to be.
 */
export async function unpack(body: Body, coding: string, limitBytes: number): Promise<Body> {
  const decode = decoders.get(coding.trim().toLowerCase());
  if (decode === undefined || body.bytes.length === 0) return body;
  if (!body.whole) return unreadable;
  try {
    const unpacked: Promise<Buffer> = decode(body.bytes, { maxOutputLength: limitBytes });
    return { bytes: await unpacked, whole: true };
  } catch (error) {
    // The unpacked body would be larger than the limit.
    if (error instanceof RangeError) return unreadable;
    throw error;
  }
}

const unreadable: Body = { bytes: Buffer.alloc(0), whole: false };
