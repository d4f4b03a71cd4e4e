import { describe, expect, test } from 'vitest';
import { identifierPrefix, parsePlaybookId, parseStepId } from '../../../core/cacao/ids.ts';

describe('identifiers', () => {
  test.each([
    'playbook--61a6c41e-6efc-4516-a242-dfbc5c89d562',
    'playbook--00000000-0000-0000-0000-000000000000',
    'playbook--0190B9C2-7C1A-7F3E-8A53-2D1C3B4A5F60',
  ])('%s is one, whatever the version of its UUID', (id) => {
    expect(parsePlaybookId(id)).toBe(id);
  });

  test.each([
    '',
    'playbook',
    'playbook--1',
    'Playbook--61a6c41e-6efc-4516-a242-dfbc5c89d562',
    '61a6c41e-6efc-4516-a242-dfbc5c89d562',
  ])('%j is none', (text) => {
    expect(parseStepId(text)).toBeUndefined();
  });

  test('begin with the type of what they name', () => {
    expect(identifierPrefix('if-condition--61a6c41e-6efc-4516-a242-dfbc5c89d562')).toBe(
      'if-condition',
    );
    expect(identifierPrefix('none')).toBeUndefined();
  });
});
