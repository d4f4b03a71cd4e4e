/**
 * The client's side of an NTLM login (MS-NLMP 3.1.5): answers the server's challenge and derives the keys
 * of the session. Insists on NTLMv2, extended session security, 128-bit keys and sealing; a server that
 * offers less is refused rather than trusted.
 */

import {
  type AvPair,
  avIds,
  MIC_PROVIDED,
  readAvPairs,
  withAvPair,
  writeAvPairs,
} from './av-pairs.ts';
import {
  authenticateMessage,
  MIC_OFFSET,
  type NtlmChallenge,
  negotiateMessage,
  ntlmFlags,
  readChallenge,
} from './messages.ts';
import { hmacMd5, type NtlmIdentity, proveV2, responseKey } from './ntlm-v2-response.ts';
import { createRc4 } from './rc4.ts';
import { createSessionSecurity, type SessionSecurity } from './session-security.ts';

export type NtlmLoginInput = {
  readonly identity: NtlmIdentity;
  readonly password: string;
  /** MD5 over the TLS channel bindings; absent on a plain connection. */
  readonly channelBinding: Uint8Array | undefined;
  readonly random: (sizeBytes: number) => Uint8Array;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
};

export type NtlmLogin = { readonly message: Buffer; readonly security: SessionSecurity };

const wanted = Object.values(ntlmFlags).reduce((sum, flag) => sum | flag, 0) >>> 0;
const needed = [
  ntlmFlags.unicode,
  ntlmFlags.extendedSessionSecurity,
  ntlmFlags.bits128,
  ntlmFlags.sign,
  ntlmFlags.seal,
];

/** The message that opens a login. */
export const ntlmNegotiate: Buffer = negotiateMessage(wanted);

/** Answers the challenge; undefined when it is malformed or offers less than this file insists on. */
export function answerChallenge(
  challengeBytes: Buffer,
  input: NtlmLoginInput,
): NtlmLogin | undefined {
  const challenge = readChallenge(challengeBytes);
  if (challenge === undefined || needed.some((flag) => (challenge.flags & flag) === 0))
    return undefined;
  const target = completeTargetInfo(challenge, input);
  if (target === undefined) return undefined;

  const proof = proveV2(responseKey(input.identity, input.password), {
    serverChallenge: challenge.serverChallenge,
    clientChallenge: input.random(8),
    fileTime: target.fileTime,
    targetInfo: target.info,
  });
  const keyExchange = (challenge.flags & ntlmFlags.keyExchange) !== 0;
  const exportedSessionKey = keyExchange ? input.random(16) : proof.sessionBaseKey;
  const message = authenticateMessage({
    // MS-NLMP 3.1.5.1.2: a server that told its time gets no LM response.
    lmResponse: target.withMic ? Buffer.alloc(24) : proof.lmResponse,
    ntResponse: proof.ntResponse,
    domain: input.identity.domain,
    user: input.identity.user,
    workstation: '',
    encryptedSessionKey: keyExchange
      ? createRc4(proof.sessionBaseKey)(exportedSessionKey)
      : Buffer.alloc(0),
    flags: wanted & challenge.flags,
  });
  if (target.withMic) {
    const mic = hmacMd5(exportedSessionKey, ntlmNegotiate, challengeBytes, message);
    message.set(mic, MIC_OFFSET);
  }
  return {
    message,
    security: createSessionSecurity('client', { exportedSessionKey, keyExchange }),
  };
}

function completeTargetInfo(challenge: NtlmChallenge, input: NtlmLoginInput) {
  const received = challenge.targetInfo.length === 0 ? [] : readAvPairs(challenge.targetInfo);
  if (received === undefined) return undefined;
  const serverTime = received.find(({ id }) => id === avIds.timestamp)?.value;
  let pairs = received;
  if (serverTime !== undefined) {
    pairs = withAvPair(pairs, { id: avIds.flags, value: withMicFlag(received) });
  }
  if (input.channelBinding !== undefined) {
    pairs = withAvPair(pairs, { id: avIds.channelBindings, value: input.channelBinding });
  }
  const fileTime = serverTime ?? toFileTime(input.nowMs);
  return { info: writeAvPairs(pairs), fileTime, withMic: serverTime !== undefined };
}

function withMicFlag(pairs: readonly AvPair[]): Buffer {
  const given = pairs.find(({ id }) => id === avIds.flags)?.value;
  const flags = Buffer.alloc(4);
  if (given?.length === 4) flags.set(given);
  flags.writeUInt32LE((flags.readUInt32LE(0) | MIC_PROVIDED) >>> 0, 0);
  return flags;
}

const FILE_TIME_OF_EPOCH = 116_444_736_000_000_000n;

function toFileTime(nowMs: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(Math.trunc(nowMs)) * 10_000n + FILE_TIME_OF_EPOCH, 0);
  return bytes;
}
