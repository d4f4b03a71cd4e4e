/**
 * RC4, the stream cipher NTLM session security is defined with (MS-NLMP 3.4.3); OpenSSL 3 keeps it out of
 * reach. A cipher object goes on where the last message ended.
 */

export type Rc4 = (data: Uint8Array) => Buffer;

/** A cipher for one direction of one session: encrypting and decrypting are the same operation. */
export function createRc4(key: Uint8Array): Rc4 {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  let j = 0;
  for (let i = 0; i < 256; i += 1) {
    j = (j + at(state, i) + at(key, i % key.length)) & 0xff;
    swap(state, i, j);
  }
  let x = 0;
  let y = 0;
  return (data) => {
    const output = Buffer.alloc(data.length);
    for (let index = 0; index < data.length; index += 1) {
      x = (x + 1) & 0xff;
      y = (y + at(state, x)) & 0xff;
      swap(state, x, y);
      output[index] = at(data, index) ^ at(state, (at(state, x) + at(state, y)) & 0xff);
    }
    return output;
  };
}

function at(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? 0;
}

function swap(state: Uint8Array, i: number, j: number): void {
  const kept = at(state, i);
  state[i] = at(state, j);
  state[j] = kept;
}
