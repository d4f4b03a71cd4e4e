import { describe, expect, test } from 'vitest';
import { nativeCapabilities, resolveCapability } from '../../../core/cacao/resolve-capability.ts';

const known = new Set<string>(nativeCapabilities);

function resolve(type: string, name: string, prefixes: readonly string[] = ['svc', 'soarca']) {
  return resolveCapability({ type, name }, known, prefixes);
}

describe('the capability of an agent', () => {
  test.each(nativeCapabilities)('svc-%s is known by its name', (capability) => {
    expect(resolve('svc', `svc-${capability}`)).toBe(capability);
  });

  test('the prefixes of the setting stand for one another', () => {
    expect(resolve('soarca', 'soarca-ssh')).toBe('ssh');
    expect(resolve('svc', 'soarca-http-api')).toBe('http-api');
    expect(resolve('soarca', 'soarca-ssh', ['svc'])).toBeUndefined();
  });

  test('the type may name it, whatever the name', () => {
    expect(resolve('svc-manual', 'the night shift')).toBe('manual');
  });

  test('the type wins over a name that stands beside a foreign type', () => {
    expect(resolve('svc-http-api', 'svc-ssh')).toBe('http-api');
    expect(resolve('svc-ssh', 'svc-ssh')).toBe('ssh');
  });

  test('the name counts beside any other type', () => {
    expect(resolve('group', 'svc-openc2-http')).toBe('openc2-http');
  });

  test.each([
    ['svc', 'ssh'],
    ['ssh', 'a server'],
    ['svc', 'svc-unknown'],
    ['svc', 'svc-'],
    ['individual', 'Ann'],
  ])('type %s with name %s is nobody we know', (type, name) => {
    expect(resolve(type, name)).toBeUndefined();
  });
});
