/**
 * The server's side of NTLM (MS-NLMP 3.2.5), for the WinRM peer: sends a challenge and checks the NTLMv2
 * response, the integrity code and the channel binding. Anything unexpected is a refusal with a reason.
 */

import { randomBytes } from 'node:crypto';
import {
  avIds,
  MIC_PROVIDED,
  readAvPairs,
  writeAvPairs,
} from '../../../infra/capabilities/powershell/ntlm/av-pairs.ts';
import {
  hmacMd5,
  responseKey,
} from '../../../infra/capabilities/powershell/ntlm/ntlm-v2-response.ts';
import { createRc4 } from '../../../infra/capabilities/powershell/ntlm/rc4.ts';
import {
  createSessionSecurity,
  type SessionSecurity,
} from '../../../infra/capabilities/powershell/ntlm/session-security.ts';

export type NtlmServerOptions = {
  readonly passwordOf: (user: string) => string | undefined;
  /** The binding of the TLS connection; undefined over plain HTTP. */
  readonly channelBinding: Buffer | undefined;
};

export type NtlmVerdict =
  | { readonly security: SessionSecurity; readonly user: string }
  | { readonly refused: string };

export type NtlmServer = {
  /** Answers a negotiate message. */
  challenge(negotiate: Buffer): Buffer;
  /** Judges an authenticate message. */
  judge(authenticate: Buffer): NtlmVerdict;
};

const KEY_EXCHANGE = 0x40000000;
/** Unicode, target, sign, seal, NTLM, always sign, extended security, target info, version, 128, keys, 56. */
const OFFERED = 0xe28a8235;

export function createNtlmServer(options: NtlmServerOptions): NtlmServer {
  const serverChallenge = randomBytes(8);
  let negotiateMessage: Buffer = Buffer.alloc(0);
  let challengeMessage: Buffer = Buffer.alloc(0);
  return {
    challenge(negotiate) {
      negotiateMessage = negotiate;
      challengeMessage = writeChallenge(serverChallenge);
      return challengeMessage;
    },
    judge(message) {
      if (message.toString('latin1', 0, 8) !== 'NTLMSSP\0') return { refused: 'no NTLM message' };
      if (message.readUInt32LE(8) !== 3) return { refused: 'no authenticate message' };
      const user = field(message, 36).toString('utf16le');
      const domain = field(message, 28).toString('utf16le');
      const password = options.passwordOf(domain === '' ? user : `${domain}\\${user}`);
      if (password === undefined) return { refused: `no account ${user}` };

      const response = field(message, 20);
      const [proof, blob] = [response.subarray(0, 16), response.subarray(16)];
      const key = responseKey({ user, domain }, password);
      if (!hmacMd5(key, serverChallenge, blob).equals(proof)) return { refused: 'wrong password' };
      if (blob.readUInt16LE(0) !== 0x0101) return { refused: 'not an NTLMv2 response' };

      const baseKey = hmacMd5(key, proof);
      const keyExchange = (message.readUInt32LE(60) & KEY_EXCHANGE) !== 0;
      const exportedSessionKey = keyExchange ? createRc4(baseKey)(field(message, 52)) : baseKey;
      const pairs = readAvPairs(blob.subarray(28)) ?? [];
      const flags = Buffer.from(
        pairs.find(({ id }) => id === avIds.flags)?.value ?? Buffer.alloc(4),
      );
      if ((flags.readUInt32LE(0) & MIC_PROVIDED) === 0) return { refused: 'no integrity code' };
      const bare = Buffer.from(message).fill(0, 72, 88);
      const mic = hmacMd5(exportedSessionKey, negotiateMessage, challengeMessage, bare);
      if (!mic.equals(message.subarray(72, 88))) return { refused: 'wrong integrity code' };
      const binding = pairs.find(({ id }) => id === avIds.channelBindings)?.value;
      if (
        options.channelBinding !== undefined &&
        !options.channelBinding.equals(binding ?? Buffer.alloc(0))
      ) {
        return { refused: 'wrong channel binding' };
      }
      return {
        user,
        security: createSessionSecurity('server', { exportedSessionKey, keyExchange }),
      };
    },
  };
}

function writeChallenge(serverChallenge: Buffer): Buffer {
  const time = Buffer.alloc(8);
  time.writeBigUInt64LE(BigInt(Date.now()) * 10_000n + 116_444_736_000_000_000n);
  const name = Buffer.from('PEER', 'utf16le');
  const targetInfo = writeAvPairs([
    { id: avIds.domainName, value: name },
    { id: avIds.computerName, value: name },
    { id: avIds.timestamp, value: time },
  ]);
  const message = Buffer.alloc(56);
  message.write('NTLMSSP\0', 'latin1');
  message.writeUInt32LE(2, 8);
  writeField(message, 12, name.length, 56);
  message.writeUInt32LE(OFFERED, 20);
  message.set(serverChallenge, 24);
  writeField(message, 40, targetInfo.length, 56 + name.length);
  message.set([10, 0, 0x39, 0x38, 0, 0, 0, 15], 48);
  return Buffer.concat([message, name, targetInfo]);
}

function writeField(message: Buffer, at: number, length: number, offset: number): void {
  message.writeUInt16LE(length, at);
  message.writeUInt16LE(length, at + 2);
  message.writeUInt32LE(offset, at + 4);
}

function field(message: Buffer, at: number): Buffer {
  const offset = message.readUInt32LE(at + 4);
  return message.subarray(offset, offset + message.readUInt16LE(at));
}
