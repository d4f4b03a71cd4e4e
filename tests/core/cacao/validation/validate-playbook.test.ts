import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePlaybook } from '../../../../core/cacao/playbook.ts';
import { cacaoComponents } from '../../../../core/cacao/schema/components.ts';
import { compileCustomSchema } from '../../../../core/cacao/validation/custom-schema.ts';
import { validationRules } from '../../../../core/cacao/validation/rules.ts';
import { validatePlaybook } from '../../../../core/cacao/validation/validate-playbook.ts';
import { action, id, options, playbook, rulesOf } from './draft-playbook.ts';

const step = id('action');

describe('a validation', () => {
  test.each([null, true, 1, 'playbook', []])('refuses %j, which is no object', (json) => {
    expect(rulesOf(json)).toEqual(['not-an-object ']);
  });

  test('refuses what is nested too deep, however deep', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];

    expect(rulesOf({ deep })).toEqual(['nested-too-deep ']);
  });

  test('lists findings in document order, parents first', () => {
    const json = playbook(
      { [step]: { ...action({ delay: -1 }), agent: 'x' } },
      { name: 1, target_definitions: { 'linux--1': {} }, labels: [1, 2] },
    );

    expect(rulesOf(json)).toEqual([
      'property-type /name',
      `identifier /workflow/${step}/agent`,
      `target-missing /workflow/${step}/targets/0`,
      `property-value /workflow/${step}/delay`,
      'required-property /target_definitions/linux--1',
      'required-property /target_definitions/linux--1',
      'property-type /labels/0',
      'property-type /labels/1',
    ]);
  });

  test('stops listing after a thousand findings', () => {
    const { valid, findings } = validatePlaybook(
      playbook({ [step]: action() }, { labels: Array.from({ length: 5000 }, () => 1) }),
      options,
    );

    expect(valid).toBe(false);
    expect(findings).toHaveLength(1001);
    expect(findings.at(-1)).toEqual({
      rule: 'more-findings',
      severity: 'error',
      pointer: '',
      message: 'There are 4000 more findings.',
    });
  });

  test('tells one problem of a huge document instead of millions', () => {
    const json = playbook(
      { [step]: action() },
      { labels: Array.from({ length: 500_000 }, () => 1) },
    );

    expect(rulesOf(json)).toEqual(['property-type /labels/0']);
  });

  test('answers any JSON and never fails', () => {
    const key = fc.constantFrom(
      'workflow',
      'type',
      'commands',
      'on_true',
      'cases',
      'agent_definitions',
      'playbook_variables',
      step,
      '__proto__',
      'out_args',
    );
    const json = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 6, withCrossShrink: true },
        fc.constantFrom<unknown>(
          null,
          1,
          'x',
          step,
          'action',
          'single',
          'if-condition',
          '__x__:value',
          '',
        ),
        fc.dictionary(key, tie('any'), { noNullPrototype: true }),
        fc.array(tie('any'), { maxLength: 3 }),
      ),
    })).any;

    fc.assert(
      fc.property(fc.oneof(json, fc.jsonValue()), (value) => void validatePlaybook(value, options)),
    );
  });

  test('survives one member of a sound playbook replaced by anything', () => {
    const sound = JSON.stringify(playbook({ [step]: action({ out_args: ['__a__'] }) }));
    const places = sound.match(/:(?=["[{])/g)?.length ?? 0;
    const value = fc.constantFrom('null', '1', '[]', '{}', '"x"', '[[1]]', '{"a":{"b":1}}');

    fc.assert(
      fc.property(fc.nat(places - 1), value, (place, replacement) => {
        let seen = -1;
        const json = JSON.parse(sound, (_key, member) => {
          seen += 1;
          return seen === place ? JSON.parse(replacement) : member;
        });
        validatePlaybook(json, options);
      }),
    );
  });
});

describe('parsing a playbook', () => {
  test('hands back the very object it was given', () => {
    const json = playbook({ [step]: action() }, { x_custom: [1, { y: null }] });
    const before = structuredClone(json);

    const parsed = parsePlaybook(json, options);

    expect(parsed.ok && parsed.playbook).toBe(json);
    expect(json).toEqual(before);
  });

  test('hands back the findings of a playbook it refuses', () => {
    expect(parsePlaybook({}, options)).toMatchObject({
      ok: false,
      findings: [{ rule: 'required-property' }, {}, {}, {}, {}, {}, {}, {}, {}],
    });
  });
});

describe('a configured schema', () => {
  const noLoad = async () => {
    throw new Error('nothing to load');
  };

  test('adds its own findings', async () => {
    const customSchema = await compileCustomSchema(
      { type: 'object', required: ['owner_team'] },
      noLoad,
    );

    expect(rulesOf(playbook({ [step]: action() }), { ...options, customSchema })).toEqual([
      'custom-schema ',
    ]);
  });

  test('decides about metadata, while the shape and the references stay checked', async () => {
    const customSchema = await compileCustomSchema({}, noLoad);
    const json = playbook(
      { [step]: action({ delay: 'x', on_failure: id('end', 9), on_completion: undefined }) },
      { created: 'today', priority: 500 },
    );

    expect(rulesOf(JSON.parse(JSON.stringify(json)), { ...options, customSchema })).toEqual([
      `branch-without-end /workflow/${step}`,
      `property-type /workflow/${step}/delay`,
      `step-missing /workflow/${step}/on_failure`,
    ]);
  });

  test('may refer to other schemas and be of a newer draft', async () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://schemas.test/a',
      properties: { name: { $ref: 'b' } },
    };
    const customSchema = await compileCustomSchema(schema, async () => ({ maxLength: 2 }));

    expect(rulesOf(playbook({ [step]: action() }), { ...options, customSchema })).toEqual([
      'custom-schema /name',
    ]);
  });

  test('that is no schema is refused', async () => {
    await expect(compileCustomSchema({ type: 'nonsense' }, noLoad)).rejects.toThrow();
  });
});

describe('the published schema', () => {
  test('refers only to its own components', () => {
    const text = JSON.stringify(cacaoComponents);
    const names = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
      (match) => match[1],
    );

    expect(names.length).toBeGreaterThan(10);
    expect(Object.keys(cacaoComponents)).toEqual(expect.arrayContaining([...new Set(names)]));
    expect(text.match(/"\$ref"/g)).toHaveLength(names.length);
  });
});

describe('the table of rules', () => {
  test('says one sentence for each', () => {
    for (const { says } of Object.values(validationRules)) expect(says).toMatch(/^\S.+\.$/);
  });
});
