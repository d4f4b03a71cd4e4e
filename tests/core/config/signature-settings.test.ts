import { expect, test } from 'vitest';
import { readConfig } from '../../../core/config/read-config.ts';

const warned = (environment: Readonly<Record<string, string>>) =>
  readConfig(environment).warnings.map(({ variable }) => variable);

test('signatures are not looked at unless somebody asks for it', () => {
  expect(readConfig({}).signatures).toBeUndefined();
  expect(readConfig({ PLAYBOOK_SIGNATURES: 'off' }).signatures).toBeUndefined();
});

test('requiring signatures needs keys to trust', () => {
  expect(() => readConfig({ PLAYBOOK_SIGNATURES: 'require' })).toThrow(
    /PLAYBOOK_TRUSTED_KEYS: is missing/,
  );
  expect(
    readConfig({ PLAYBOOK_SIGNATURES: 'require', PLAYBOOK_TRUSTED_KEYS: '/etc/keys.json' })
      .signatures,
  ).toEqual({ policy: 'require', trustedKeys: '/etc/keys.json' });
});

test('warnings alone work without keys, and say so at start', () => {
  expect(readConfig({ PLAYBOOK_SIGNATURES: 'warn' }).signatures?.policy).toBe('warn');
  expect(warned({ PLAYBOOK_SIGNATURES: 'warn' })).toContain('PLAYBOOK_TRUSTED_KEYS');
});

test('a policy that is none stops the start', () => {
  expect(() => readConfig({ PLAYBOOK_SIGNATURES: 'maybe' })).toThrow(/PLAYBOOK_SIGNATURES/);
});
