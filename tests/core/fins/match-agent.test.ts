import { describe, expect, test } from 'vitest';
import type { Fins } from '../../../core/fins/fin.ts';
import { matchAgent } from '../../../core/fins/match-agent.ts';
import { aCapability, aFin } from '../../support/a-fin.ts';

function matched(fins: Fins, name: string, key = 'some--key'): string | undefined {
  const match = matchAgent(fins, { key, name });
  return match && `${match.fin.id}/${match.capability.id}`;
}

/** A fin every part of which is called `x` in turn. */
const byName = aFin('by-name', {
  capabilities: [aCapability('c', { agents: { k: { type: 't', name: 'x' } } })],
});
const byId = aFin('by-id', { capabilities: [aCapability('x')] });
const byCapabilityName = aFin('by-cap', { capabilities: [aCapability('d', { name: 'x' })] });
const byKey = aFin('by-key', {
  capabilities: [aCapability('e', { agents: { 'agent--x': { type: 't', name: 'y' } } })],
});

describe('the fin for an agent', () => {
  test('is found by the name of its agent, its capability id, its capability name and the agent key', () => {
    const all = [byKey, byCapabilityName, byId, byName];

    const found = [0, 1, 2, 3].map((left) => matched(all.slice(0, 4 - left), 'x', 'agent--x'));

    expect(found).toEqual(['fin-by-name/c', 'fin-by-id/x', 'fin-by-cap/d', 'fin-by-key/e']);
  });

  test('is none when nothing fits, whatever names the language knows', () => {
    expect(matched([byName, byId], 'y')).toBeUndefined();
    expect(matched([byKey], 'z', 'constructor')).toBeUndefined();
    expect(matched([], 'x')).toBeUndefined();
  });

  test('is, of several, the one registered last that has not failed', () => {
    const other = aFin('other', { capabilities: [aCapability('f', { name: 'x' })] });
    const failed = { state: 'failed' } as const;

    expect(matched([byCapabilityName, other], 'x')).toBe('fin-other/f');
    expect(matched([byCapabilityName, { ...other, ...failed }], 'x')).toBe('fin-by-cap/d');
    expect(
      matched(
        [
          { ...byCapabilityName, ...failed },
          { ...other, ...failed },
        ],
        'x',
      ),
    ).toBe('fin-other/f');
  });

  test('is never a stopped one', () => {
    expect(matched([{ ...byName, state: 'stopped' }], 'x')).toBeUndefined();
  });
});
