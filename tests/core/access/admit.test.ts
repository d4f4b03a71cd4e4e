import { describe, expect, test } from 'vitest';
import { admit } from '../../../core/access/admit.ts';
import { callerLabel } from '../../../core/access/caller-label.ts';
import {
  type Caller,
  type Need,
  openAccess,
  type Permission,
} from '../../../core/access/permissions.ts';
import { tokenInvalid, unauthenticated } from '../../../core/access/refuse-token.ts';
import { Refusal } from '../../../core/errors/refusal.ts';
import type { LogFields } from '../../../core/ports/log.ts';

const ada = (permissions: readonly Permission[]): Caller => ({
  name: 'ada',
  id: 'user-1',
  permissions: new Set(permissions),
});

function gateFor(answer: Caller | Error) {
  const lines: LogFields[] = [];
  return {
    lines,
    access: { identify: async () => (answer instanceof Error ? Promise.reject(answer) : answer) },
    securityLog: { record: (event: string, fields: LogFields) => lines.push({ event, ...fields }) },
  };
}

const what = {
  authorization: 'Bearer a.b.c',
  route: 'playbook-add',
  method: 'POST',
  path: '/playbook',
};

test('a caller with the permission passes, and nothing is recorded', async () => {
  const gate = gateFor(ada(['playbook:write']));

  const caller = await admit(gate, { ...what, needs: 'playbook:write' });

  expect(caller.name).toBe('ada');
  expect(gate.lines).toEqual([]);
});

test('any permission opens what asks for any role', async () => {
  const gate = gateFor(ada(['playbook:read']));

  await expect(admit(gate, { ...what, needs: 'any-role' })).resolves.toMatchObject({
    id: 'user-1',
  });
});

test('what is open asks nobody', async () => {
  const gate = gateFor(unauthenticated());

  await expect(admit(gate, { ...what, needs: 'open' })).resolves.toBeDefined();
});

test('everybody may do everything while authentication is off', async () => {
  const gate = { ...gateFor(ada([])), access: openAccess };

  await expect(admit(gate, { ...what, needs: 'admin' })).resolves.not.toHaveProperty('name');
});

describe('refusals and what auditors read of them', () => {
  test.each<[string, readonly Permission[], Need]>([
    ['role-missing', [], 'any-role'],
    ['role-missing', [], 'playbook:read'],
    ['forbidden', ['playbook:read'], 'playbook:write'],
    ['forbidden', ['playbook:read', 'playbook:write', 'playbook:execute'], 'admin'],
  ])('%s: who has %j asks for %s', async (code, permissions, needs) => {
    const gate = gateFor(ada(permissions));

    await expect(admit(gate, { ...what, needs })).rejects.toMatchObject({ code, status: 403 });

    const { authorization: _, ...asked } = what;
    expect(gate.lines).toEqual([
      { event: 'access_refused', code, caller: 'ada <user-1>', needs, ...asked },
    ]);
  });

  test('a refused token leaves a line with the reason and without the token', async () => {
    const gate = gateFor(tokenInvalid('it has expired'));

    await expect(admit(gate, { ...what, needs: 'admin' })).rejects.toMatchObject({ status: 401 });

    const { authorization, ...asked } = what;
    const reason = 'The bearer token is not accepted: it has expired.';
    expect(gate.lines).toEqual([
      { event: 'access_refused', code: 'token-invalid', reason, ...asked },
    ]);
    expect(JSON.stringify(gate.lines)).not.toContain(authorization);
  });

  test('a provider that is away is nobody to be refused', async () => {
    const gate = gateFor(new Refusal('identity-provider-away'));

    await expect(admit(gate, { ...what, needs: 'admin' })).rejects.toMatchObject({ status: 503 });
    expect(gate.lines).toEqual([]);
  });

  test('an endless path is cut', async () => {
    const gate = gateFor(unauthenticated());
    const path = `/${'x'.repeat(10_000)}`;

    await admit(gate, { ...what, path, needs: 'admin' }).catch(() => {});

    expect(gate.lines[0]?.['path']).toHaveLength(200);
  });
});

test.each<[Omit<Caller, 'permissions'>, string | undefined]>([
  [{ name: 'ada', id: 'user-1' }, 'ada <user-1>'],
  [{ id: 'client-1' }, 'client-1'],
  [{ name: 'same', id: 'same' }, 'same'],
  [{}, undefined],
])('%j is written down as %j', (caller, label) => {
  expect(callerLabel({ ...caller, permissions: new Set() })).toBe(label);
});
