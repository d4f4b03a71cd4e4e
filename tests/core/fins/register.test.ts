import { describe, expect, test } from 'vitest';
import type { Fins } from '../../../core/fins/fin.ts';
import type { Registration } from '../../../core/fins/message.ts';
import { register } from '../../../core/fins/register.ts';
import { aCapability, aFin, finId } from '../../support/a-fin.ts';

const rules = { serviceTopic: 'svc', isNative: (id: string) => id === 'svc-ssh', nowMs: 5_000 };

function aRegistration(name: string, more: Partial<Registration> = {}): Registration {
  return {
    type: 'register',
    messageId: `new message of ${name}`,
    finId: finId(`fin-${name}`),
    protocolVersion: '0.0.1',
    capabilities: [aCapability(`cap-${name}`)],
    ...more,
  };
}

function accepted(fins: Fins, registration: Registration): Fins {
  const registered = register(fins, registration, rules);
  if (!registered.ok) throw new Error(registered.reason);
  return registered.fins;
}

describe('a registration', () => {
  test('of a new fin makes it the newest', () => {
    const before = [aFin('a')];

    expect(accepted(before, aRegistration('b', { name: 'B' }))).toEqual([
      aFin('a'),
      aFin('b', { name: 'B', messageId: 'new message of b', registeredMs: 5_000 }),
    ]);
  });

  test('of a known fin replaces it, makes it the newest and brings it back to life', () => {
    const before = [aFin('a', { state: 'stopped', name: 'old' }), aFin('b')];
    const capabilities = [aCapability('other')];

    expect(accepted(before, aRegistration('a', { capabilities }))).toEqual([
      aFin('b'),
      aFin('a', { capabilities, messageId: 'new message of a', registeredMs: 5_000 }),
    ]);
  });

  test('that is repeated changes nothing', () => {
    const before = [aFin('a'), aFin('b')];
    const repeated = aRegistration('a', { messageId: 'message-of-a' });

    expect(register(before, repeated, rules)).toEqual({ ok: true, fins: before, repeated: true });
  });

  test.each(['failed', 'stopped'] as const)(
    'takes a capability from a fin that has %s, and leaves it its others',
    (state) => {
      const capabilities = [aCapability('cap-b'), aCapability('kept')];
      const before = [aFin('a', { state, capabilities }), aFin('c', { state })];
      const wanted = [aCapability('cap-b'), aCapability('cap-c')];

      const after = accepted(before, aRegistration('b', { capabilities: wanted }));

      expect(after).toMatchObject([
        { id: 'fin-a', state, capabilities: [{ id: 'kept' }] },
        { id: 'fin-b', state: 'ready', capabilities: [{ id: 'cap-b' }, { id: 'cap-c' }] },
      ]);
    },
  );

  test.each([
    ['offers nothing', { capabilities: [] }],
    ['offers one capability twice', { capabilities: [aCapability('x'), aCapability('x')] }],
    ['calls a capability like itself', { capabilities: [aCapability('fin-b')] }],
    ['calls itself like the service topic', { finId: finId('svc') }],
    ['calls a capability like the service topic', { capabilities: [aCapability('svc')] }],
    ['offers a capability of the service', { capabilities: [aCapability('svc-ssh')] }],
    ['wants what a ready fin has', { capabilities: [aCapability('b'), aCapability('cap-a')] }],
    ['calls a capability like another fin', { capabilities: [aCapability('fin-a')] }],
    ['calls itself like the capability of another fin', { finId: finId('cap-a') }],
  ])('that %s is refused whole', (_, more) => {
    const registered = register([aFin('a')], aRegistration('b', more), rules);

    expect(registered).toEqual({ ok: false, reason: expect.stringMatching(/^The .*\.$/) });
  });
});
