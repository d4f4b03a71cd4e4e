import { describe, expect, test } from 'vitest';
import { commandsOf, definitionOf, targetDefinitions } from '../../../core/cacao/definitions.ts';
import { type Playbook, viewPlaybook, type WorkflowStep } from '../../../core/cacao/playbook.ts';

const old = { type: 'linux', name: 'old' };
const recent = { type: 'linux', name: 'recent' };

function defining(members: object): Playbook {
  return viewPlaybook({ type: 'playbook', ...members });
}

describe('what a playbook defines', () => {
  test('targets stand in target_definitions, in targets of older playbooks, or in both', () => {
    expect(targetDefinitions(defining({}))).toEqual({});
    expect(targetDefinitions(defining({ targets: { a: old } }))).toEqual({ a: old });
    expect(
      targetDefinitions(
        defining({ targets: { a: old, b: old }, target_definitions: { b: recent } }),
      ),
    ).toEqual({ a: old, b: recent });
  });

  test('names every object has are not definitions', () => {
    expect(definitionOf({ a: 1 }, 'a')).toBe(1);
    expect(definitionOf({ a: 1 }, 'constructor')).toBeUndefined();
  });

  test('a single step may hold one command or a list, other steps none', () => {
    const command = { type: 'ssh', command: 'ls' };
    const steps: readonly WorkflowStep[] = [
      { type: 'single', command },
      { type: 'single', commands: [command, command] },
      { type: 'single' },
      { type: 'end' },
    ];

    expect(steps.map((step) => commandsOf(step).length)).toEqual([1, 2, 0, 0]);
  });
});
