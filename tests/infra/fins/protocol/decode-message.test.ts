import { describe, expect, test } from 'vitest';
import { decodeMessage } from '../../../../infra/fins/protocol/decode-message.ts';

function decoded(message: unknown) {
  const text = typeof message === 'string' ? message : JSON.stringify(message);
  return decodeMessage(new TextEncoder().encode(text));
}

function messageOf(message: unknown) {
  const outcome = decoded(message);
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.message;
}

const capability = {
  capability_id: 'dns-lookup--77aa',
  type: 'action',
  name: 'DNS lookup',
  version: '1.2.0',
  step: { example: { type: 'action', name: 'resolve', description: null } },
  agent: { a1: { type: 'svc-fin', name: 'svc-fin-dns-77aa' } },
};

const registration = {
  type: 'register',
  message_id: '0b2a',
  fin_id: 'svc-fin-dns-1f0c',
  protocol_version: '0.0.1',
  security: { version: '0.0.1', channel_security: 'plaintext' },
  capabilities: [capability],
  meta: { timestamp: '2026-02-03T10:11:12.131415+00:00', sender_id: 'svc-fin-dns-1f0c' },
};

describe('a registration', () => {
  test('is read with its capabilities, agents and examples', () => {
    expect(messageOf(registration)).toEqual({
      type: 'register',
      messageId: '0b2a',
      finId: 'svc-fin-dns-1f0c',
      protocolVersion: '0.0.1',
      capabilities: [
        {
          id: 'dns-lookup--77aa',
          name: 'DNS lookup',
          version: '1.2.0',
          agents: { a1: { type: 'svc-fin', name: 'svc-fin-dns-77aa' } },
          examples: { example: { type: 'action', name: 'resolve', description: null } },
        },
      ],
    });
  });

  test.each(['fin_name', 'name', 'Name'])('may give the name of the fin as %s', (key) => {
    expect(messageOf({ ...registration, [key]: 'DNS' })).toMatchObject({ name: 'DNS' });
    expect(messageOf({ ...registration, [key]: null })).not.toHaveProperty('name');
  });

  test('may hold a single step and agent, nulls, and hardly anything', () => {
    const single = { ...capability, step: { type: 'action', name: 's' }, agent: { name: 'a' } };
    const bare = { capability_id: 'bare', step: null, agent: null, name: null, version: null };

    expect(messageOf({ ...registration, capabilities: [single, bare] })).toMatchObject({
      capabilities: [
        { examples: { example: { name: 's' } }, agents: { agent: { type: '', name: 'a' } } },
        { id: 'bare', name: 'bare', version: '', examples: {}, agents: {} },
      ],
    });
  });

  test.each([
    ['no fin', { fin_id: null }],
    ['a fin id that is no topic', { fin_id: 'a/#' }],
    ['no list of capabilities', { capabilities: { a: capability } }],
    ['a capability without id', { capabilities: [{ ...capability, capability_id: '' }] }],
    ['a capability id that is no topic', { capabilities: [{ capability_id: '+' }] }],
    ['a capability that is a text', { capabilities: ['x'] }],
  ])('with %s is not understood, but who sent it may be', (_, more) => {
    const outcome = decoded({ ...registration, ...more });

    expect(outcome).toMatchObject({ ok: false, type: 'register', messageId: '0b2a' });
  });
});

describe('an unregistration', () => {
  const unregister = { type: 'unregister', message_id: '1' };
  const which = (more: object) => {
    const message = messageOf({ ...unregister, ...more });
    return message.type === 'unregister' && message.which;
  };

  test('selects one fin, one capability or all, written as a boolean or as text', () => {
    const fin = { fin_id: 'f', capability_id: null, all: false };

    expect(which(fin)).toEqual({ kind: 'fin', finId: 'f' });
    expect(which({ fin_id: '', capability_id: 'c', all: 'false' })).toEqual({
      kind: 'capability',
      capabilityId: 'c',
    });
    expect(which({ ...fin, all: true })).toEqual({ kind: 'all' });
    expect(which({ all: 'True' })).toEqual({ kind: 'all' });
  });

  test('that selects nothing is not understood', () => {
    expect(decoded({ ...unregister, fin_id: null, capability_id: null, all: null }).ok).toBe(false);
  });
});

describe('a result', () => {
  const context = {
    step_id: 'action--5d',
    execution_id: '2c0e',
    generated_on: '2026-02-03T10:11:13.000Z',
    timeout: 30,
  };
  const resultOf = (result: object) => messageOf({ type: 'result', message_id: 'r', result });

  test('is read with its work and its variables as texts', () => {
    const variables = {
      ip: { type: 'ipv4-addr', name: '__ip__', value: '192.0.2.7' },
      'own key': { type: 'string', name: 'no variable name', value: 'v' },
      __number__: { value: 1.5 },
      __flag__: { value: false },
      __map__: { type: 'dictionary', value: { a: [1] } },
      __null__: { value: null },
      __text__: 'no object',
      __proto__x: {},
    };

    expect(resultOf({ state: 'success', context, variables })).toEqual({
      type: 'result',
      messageId: 'r',
      work: {
        executionId: '2c0e',
        stepId: 'action--5d',
        generatedUs: Date.UTC(2026, 1, 3, 10, 11, 13) * 1_000,
      },
      success: true,
      state: 'success',
      values: {
        __ip__: '192.0.2.7',
        'own key': 'v',
        __number__: '1.5',
        __flag__: 'false',
        __map__: '{"a":[1]}',
      },
    });
  });

  test('may lack its variables, its state and its time', () => {
    expect(resultOf({ context: { ...context, generated_on: null }, variables: [] })).toMatchObject({
      success: false,
      state: '',
      values: {},
      work: { generatedUs: undefined },
    });
  });

  test('that says not whose it is, is not understood', () => {
    const outcome = decoded({ type: 'result', message_id: 'r', result: { state: 'success' } });

    expect(outcome).toEqual({
      ok: false,
      reason: 'The member context is missing or no object.',
      type: 'result',
      messageId: 'r',
    });
  });
});

describe('other messages', () => {
  test.each([
    [
      { type: 'ack', message_id: '1' },
      { type: 'ack', messageId: '1' },
    ],
    [
      { type: 'nack', message_id: '1', reason: 'x' },
      { type: 'nack', messageId: '1' },
    ],
    [
      { type: 'status', message_id: '1', capability_id: 'c', progress: 'paused' },
      { type: 'status', messageId: '1', capabilityId: 'c', progress: 'paused' },
    ],
    [
      { type: 'pause', message_id: '1', capability_id: 'c' },
      { type: 'pause', messageId: '1', capabilityId: 'c' },
    ],
  ])('are read: %j', (message, expected) => {
    expect(messageOf(message)).toEqual(expected);
  });

  test.each(['', '{', '[]', 'null', '1', '"ack"', '{}', '{"type":"ack"}', '{"type":1}'])(
    'that are none are not understood: %s',
    (text) => {
      expect(decoded(text).ok).toBe(false);
    },
  );

  test('must be text, of a bearable size and depth, and of a known type', () => {
    const deep = `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`;
    const bad = [
      decodeMessage(new Uint8Array([0xff, 0xfe])),
      decodeMessage(new Uint8Array(17 * 1024 * 1024)),
      decoded(`{"type":"ack","message_id":"1","a":${deep}}`),
      decoded({ type: 'dance', message_id: '1' }),
    ];

    expect(bad.map((outcome) => !outcome.ok && outcome.reason)).toEqual([
      'The message is not JSON in UTF-8.',
      'The message is larger than 16 MiB.',
      'The message is nested too deep.',
      'There are no messages of the type dance.',
    ]);
  });
});
