/**
 * The attribute list of NTLM target information (MS-NLMP 2.2.2.1): pairs of id and value, closed by an
 * end marker. Unknown ids are kept as they came, because the server checks that they come back.
 */

export const avIds = {
  end: 0,
  computerName: 1,
  domainName: 2,
  flags: 6,
  timestamp: 7,
  channelBindings: 10,
} as const;

/** Bit of `avIds.flags`: the message carries an integrity code. */
export const MIC_PROVIDED = 0x2;

export type AvPair = { readonly id: number; readonly value: Uint8Array };

/** The pairs before the end marker; undefined when the list is cut short. */
export function readAvPairs(bytes: Buffer): readonly AvPair[] | undefined {
  const pairs: AvPair[] = [];
  let offset = 0;
  while (offset + 4 <= bytes.length) {
    const id = bytes.readUInt16LE(offset);
    const end = offset + 4 + bytes.readUInt16LE(offset + 2);
    if (id === avIds.end) return pairs;
    if (end > bytes.length) return undefined;
    pairs.push({ id, value: bytes.subarray(offset + 4, end) });
    offset = end;
  }
  return undefined;
}

export function writeAvPairs(pairs: readonly AvPair[]): Buffer {
  return Buffer.concat([...pairs, { id: avIds.end, value: new Uint8Array() }].map(writePair));
}

/** The list with `pair` in place of any pair of the same id. */
export function withAvPair(pairs: readonly AvPair[], pair: AvPair): readonly AvPair[] {
  return [...pairs.filter(({ id }) => id !== pair.id), pair];
}

function writePair({ id, value }: AvPair): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id, 0);
  head.writeUInt16LE(value.length, 2);
  return Buffer.concat([head, value]);
}
