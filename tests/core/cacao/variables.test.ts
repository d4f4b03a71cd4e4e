import { describe, expect, test } from 'vitest';
import { argumentNames, argumentVariables } from '../../../core/cacao/arguments.ts';
import type { Variables, WorkflowStep } from '../../../core/cacao/playbook.ts';
import {
  childScope,
  filterOutputs,
  isVariableName,
  lookupIn,
  mergeOutputs,
  stepScope,
} from '../../../core/cacao/variables.ts';

const scope: Variables = {
  __count__: { type: 'integer', value: '1', description: 'how many' },
  __host__: { type: 'string', value: 'web-1' },
};

describe('the scope of variables', () => {
  test('a step sees its own variables instead of those of the playbook, even empty ones', () => {
    const step: WorkflowStep = { type: 'end', step_variables: { __host__: { type: 'string' } } };

    const seen = lookupIn(stepScope(scope, step));

    expect(seen('__host__')).toBe('');
    expect(seen('__count__')).toBe('1');
    expect(seen('__other__')).toBeUndefined();
  });

  test('a result keeps the declared type and description and replaces the value', () => {
    expect(mergeOutputs(scope, { __count__: '2', __new__: 'x' })).toEqual({
      ...scope,
      __count__: { type: 'integer', value: '2', description: 'how many' },
      __new__: { type: 'string', value: 'x' },
    });
  });

  test('a result named like a property of every object is just a variable', () => {
    const merged = mergeOutputs({}, JSON.parse('{"__proto__": "x"}'));

    expect(lookupIn(merged)('__proto__')).toBe('x');
    expect(lookupIn({})('__proto__')).toBeUndefined();
  });

  test('only the results listed by out_args are kept, all of them when it lists none', () => {
    const outputs = { __a__: '1', __b__: '2' };

    expect(filterOutputs(outputs, ['__b__', '__c__'])).toEqual({ __b__: '2' });
    expect(filterOutputs(outputs, [])).toEqual(outputs);
  });

  test('a called playbook keeps its own variables when names collide', () => {
    const child: Variables = { __host__: { type: 'string', value: 'mine' } };

    expect(childScope(scope, child)).toEqual({ ...scope, ...child });
  });

  test('names need two underscores on both sides', () => {
    expect(['__a__', '__a-b_c9__', '_a_', '__9a__', '__a b__', '____'].map(isVariableName)).toEqual(
      [true, true, false, false, false, false],
    );
  });
});

describe('in_args and out_args', () => {
  test('are a list of names', () => {
    expect(argumentNames(['__a__', '__b__', '__a__'])).toEqual(['__a__', '__b__']);
  });

  test('or a map of variables', () => {
    expect(argumentNames({ __a__: { type: 'string' } })).toEqual(['__a__']);
  });

  test('or nothing', () => {
    expect(argumentNames(undefined)).toEqual([]);
  });

  test('are described by the map, else by the scope, else as strings', () => {
    expect(
      argumentVariables({ __count__: { type: 'long', value: '7' }, __host__: 1 }, scope),
    ).toEqual({
      __count__: { type: 'long', value: '7' },
      __host__: scope['__host__'],
    });
    expect(argumentVariables(['__count__', '__new__'], scope)).toEqual({
      __count__: scope['__count__'],
      __new__: { type: 'string' },
    });
  });
});
