/**
 * The three NTLM messages on the wire (MS-NLMP 2.2.1): negotiate, challenge, authenticate. Only layout;
 * what goes into the fields is decided in `login.ts`.
 */

export const ntlmFlags = {
  unicode: 0x1,
  requestTarget: 0x4,
  sign: 0x10,
  seal: 0x20,
  ntlm: 0x200,
  alwaysSign: 0x8000,
  extendedSessionSecurity: 0x80000,
  targetInfo: 0x800000,
  version: 0x2000000,
  bits128: 0x20000000,
  keyExchange: 0x40000000,
} as const;

export type NtlmChallenge = {
  readonly flags: number;
  readonly serverChallenge: Buffer;
  /** Empty when the server sent none. */
  readonly targetInfo: Buffer;
};

export type AuthenticateFields = {
  readonly lmResponse: Uint8Array;
  readonly ntResponse: Uint8Array;
  readonly domain: string;
  readonly user: string;
  readonly workstation: string;
  readonly encryptedSessionKey: Uint8Array;
  readonly flags: number;
};

/** Where the message integrity code lies in an authenticate message. */
export const MIC_OFFSET = 72;
const PAYLOAD_OFFSET = 88;
const SIGNATURE = Buffer.from('NTLMSSP\0', 'latin1');
/** Windows 10.0, NTLM revision 15: only for the logs of the server. */
const VERSION = Buffer.from([10, 0, 0, 0, 0, 0, 0, 15]);

export function negotiateMessage(flags: number): Buffer {
  const message = Buffer.alloc(40);
  writeHead(message, 1);
  message.writeUInt32LE(flags >>> 0, 12);
  message.set(VERSION, 32);
  return message;
}

/** Undefined when the bytes are not a challenge message. */
export function readChallenge(message: Buffer): NtlmChallenge | undefined {
  if (message.length < 32 || !message.subarray(0, 8).equals(SIGNATURE)) return undefined;
  if (message.readUInt32LE(8) !== 2) return undefined;
  const targetInfo = message.length < 48 ? Buffer.alloc(0) : readField(message, 40);
  if (targetInfo === undefined) return undefined;
  const serverChallenge = message.subarray(24, 32);
  return { flags: message.readUInt32LE(20), serverChallenge, targetInfo };
}

/** The message with a zeroed integrity code at `MIC_OFFSET`. */
export function authenticateMessage(fields: AuthenticateFields): Buffer {
  const head = Buffer.alloc(PAYLOAD_OFFSET);
  writeHead(head, 3);
  const parts = [
    { at: 28, value: Buffer.from(fields.domain, 'utf16le') },
    { at: 36, value: Buffer.from(fields.user, 'utf16le') },
    { at: 44, value: Buffer.from(fields.workstation, 'utf16le') },
    { at: 12, value: fields.lmResponse },
    { at: 20, value: fields.ntResponse },
    { at: 52, value: fields.encryptedSessionKey },
  ];
  let offset = PAYLOAD_OFFSET;
  for (const { at, value } of parts) {
    head.writeUInt16LE(value.length, at);
    head.writeUInt16LE(value.length, at + 2);
    head.writeUInt32LE(offset, at + 4);
    offset += value.length;
  }
  head.writeUInt32LE(fields.flags >>> 0, 60);
  head.set(VERSION, 64);
  return Buffer.concat([head, ...parts.map(({ value }) => value)]);
}

function writeHead(message: Buffer, type: number): void {
  message.set(SIGNATURE, 0);
  message.writeUInt32LE(type, 8);
}

function readField(message: Buffer, at: number): Buffer | undefined {
  const offset = message.readUInt32LE(at + 4);
  const end = offset + message.readUInt16LE(at);
  return end > message.length ? undefined : message.subarray(offset, end);
}
