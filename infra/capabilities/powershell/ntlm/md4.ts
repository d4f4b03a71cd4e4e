/**
 * MD4 (RFC 1320). NTLM hashes passwords with it, and OpenSSL 3 no longer offers it. Never use it for
 * anything else: it is broken as a hash.
 */

type Registers = readonly [number, number, number, number];
type Round = {
  readonly mix: (x: number, y: number, z: number) => number;
  readonly constant: number;
  /** The order in which the round reads the sixteen words of a block. */
  readonly order: readonly number[];
  readonly shifts: readonly [number, number, number, number];
};

const rounds: readonly Round[] = [
  {
    mix: (x, y, z) => (x & y) | (~x & z),
    constant: 0,
    order: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    shifts: [3, 7, 11, 19],
  },
  {
    mix: (x, y, z) => (x & y) | (x & z) | (y & z),
    constant: 0x5a827999,
    order: [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15],
    shifts: [3, 5, 9, 13],
  },
  {
    mix: (x, y, z) => x ^ y ^ z,
    constant: 0x6ed9eba1,
    order: [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15],
    shifts: [3, 9, 11, 15],
  },
];

/** The 16-byte digest of `message`. */
export function md4(message: Uint8Array): Buffer {
  const padded = pad(message);
  let state: Registers = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];
  for (let offset = 0; offset < padded.length; offset += 64) {
    state = compress(state, padded.subarray(offset, offset + 64));
  }
  const digest = Buffer.alloc(16);
  state.forEach((register, index) => {
    digest.writeUInt32LE(register >>> 0, index * 4);
  });
  return digest;
}

function pad(message: Uint8Array): Buffer {
  const padded = Buffer.alloc(Math.ceil((message.length + 9) / 64) * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  padded.writeBigUInt64LE(BigInt(message.length) * 8n, padded.length - 8);
  return padded;
}

function compress(state: Registers, block: Buffer): Registers {
  let [a, b, c, d] = state;
  for (const { mix, constant, order, shifts } of rounds) {
    for (const [index, word] of order.entries()) {
      const sum = (a + mix(b, c, d) + block.readUInt32LE(word * 4) + constant) | 0;
      // The registers change places after every operation, so the fourth one is always `d`.
      [a, b, c, d] = [d, rotate(sum, shifts[index % 4] ?? 0), b, c];
    }
  }
  return [(a + state[0]) | 0, (b + state[1]) | 0, (c + state[2]) | 0, (d + state[3]) | 0];
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
