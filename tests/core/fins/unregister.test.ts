import { describe, expect, test } from 'vitest';
import { unregister } from '../../../core/fins/unregister.ts';
import { aCapability, aFin, capabilityId, finId } from '../../support/a-fin.ts';

const two = { capabilities: [aCapability('one'), aCapability('two')] };

describe('unregistering', () => {
  test('a fin stops it and keeps it to be seen', () => {
    const fins = [aFin('a'), aFin('b')];

    expect(unregister(fins, { kind: 'fin', finId: finId('fin-a') })).toEqual([
      aFin('a', { state: 'stopped' }),
      aFin('b'),
    ]);
  });

  test('all stops every fin', () => {
    const fins = [aFin('a'), aFin('b', { state: 'failed' })];

    expect(unregister(fins, { kind: 'all' }).map(({ state }) => state)).toEqual([
      'stopped',
      'stopped',
    ]);
  });

  test('a capability takes it from its fin; without the last one the fin is stopped', () => {
    const one = { kind: 'capability', capabilityId: capabilityId('one') } as const;
    const other = { kind: 'capability', capabilityId: capabilityId('two') } as const;

    const once = unregister([aFin('a', two)], one);
    const twice = unregister(once, other);

    expect(once).toEqual([aFin('a', { capabilities: [aCapability('two')] })]);
    expect(twice).toEqual([aFin('a', { capabilities: [aCapability('two')], state: 'stopped' })]);
  });

  test('what is unknown or stopped already changes nothing', () => {
    const fins = [aFin('a', { state: 'stopped' })];

    expect(unregister(fins, { kind: 'fin', finId: finId('fin-a') })).toBe(fins);
    expect(unregister(fins, { kind: 'fin', finId: finId('x') })).toBe(fins);
    expect(unregister(fins, { kind: 'capability', capabilityId: capabilityId('cap-a') })).toBe(
      fins,
    );
    expect(unregister(fins, { kind: 'all' })).toBe(fins);
  });
});
