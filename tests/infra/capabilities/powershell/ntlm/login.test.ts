import { describe, expect, test } from 'vitest';
import {
  answerChallenge,
  type NtlmLoginInput,
} from '../../../../../infra/capabilities/powershell/ntlm/login.ts';
import { responseKey } from '../../../../../infra/capabilities/powershell/ntlm/ntlm-v2-response.ts';

/** The values and results of MS-NLMP 4.2.4, "NTLMv2 Authentication". */
const published = {
  challenge:
    '4e544c4d53535000020000000c000c003800000033828ae20123456789abcdef00000000000000002400240044000000' +
    '060070170000000f53006500720076006500720002000c0044006f006d00610069006e0001000c005300650072007600' +
    '6500720000000000',
  ntProof: '68cd0ab851e51c96aabc927bebef6a1c',
  lmResponse: '86c35097ac9cec102554764a57cccc19aaaaaaaaaaaaaaaa',
  encryptedSessionKey: 'c5dad2544fc9799094ce1ce90bc9d03e',
  sealedPlaintext: '54e50165bf1936dc996020c1811b0f06fb5f',
  signature: '010000007fb38ec5c55d497600000000',
};

const FILE_TIME_ZERO_MS = -11_644_473_600_000;

function anInput(): NtlmLoginInput {
  return {
    identity: { user: 'User', domain: 'Domain' },
    password: 'Password',
    channelBinding: undefined,
    random: (sizeBytes) => Buffer.alloc(sizeBytes, sizeBytes === 8 ? 0xaa : 0x55),
    nowMs: FILE_TIME_ZERO_MS,
  };
}

function field(message: Buffer, at: number): string {
  const offset = message.readUInt32LE(at + 4);
  return message.subarray(offset, offset + message.readUInt16LE(at)).toString('hex');
}

describe('the login published in MS-NLMP', () => {
  const login = answerChallenge(Buffer.from(published.challenge, 'hex'), anInput());
  const message = login?.message ?? Buffer.alloc(0);

  test('derives the published key from the password', () => {
    const key = responseKey({ user: 'User', domain: 'Domain' }, 'Password');

    expect(key.toString('hex')).toBe('0c868a403bfd7a93a3001ef22ef02e3f');
  });

  test('proves the password with the published responses', () => {
    expect(field(message, 20).slice(0, 32)).toBe(published.ntProof);
    expect(field(message, 12)).toBe(published.lmResponse);
  });

  test('hands over the session key encrypted as published', () => {
    expect(field(message, 52)).toBe(published.encryptedSessionKey);
  });

  test('seals the first message of the session as published', () => {
    const sealed = login?.security.seal(Buffer.from('Plaintext', 'utf16le'));

    expect(sealed?.ciphertext.toString('hex')).toBe(published.sealedPlaintext);
    expect(sealed?.signature.toString('hex')).toBe(published.signature);
  });
});

describe('a challenge that offers too little', () => {
  const weakened = Buffer.from(published.challenge, 'hex');
  weakened.writeUInt32LE(0xe2828233, 20);

  test('without extended session security is refused', () => {
    expect(answerChallenge(weakened, anInput())).toBeUndefined();
  });

  test('is refused when it is cut short', () => {
    const cut = Buffer.from(published.challenge, 'hex').subarray(0, 60);

    expect(answerChallenge(cut, anInput())).toBeUndefined();
  });

  test('is refused when it is another kind of message', () => {
    expect(answerChallenge(Buffer.from('<html>not NTLM at all, sorry</html>'), anInput())).toBe(
      undefined,
    );
  });
});
