import { describe, expect, test } from 'vitest';
import {
  action,
  agent,
  end,
  findingsOf,
  id,
  type Members,
  playbook,
  rulesOf,
  target,
} from './draft-playbook.ts';

const step = id('action');
const decision = id('if-condition');

function using(text: string, members: Members = {}, changes: Members = {}): Members {
  return playbook(
    { [step]: action({ commands: [{ type: 'ssh', command: text }], ...changes }) },
    members,
  );
}

describe('undefined variables', () => {
  test('are pointed out where they are used', () => {
    expect(findingsOf(using('ping __host__:value'))).toEqual([
      `undefined-variable /workflow/${step}/commands/0/command: Variable __host__ is neither declared nor returned by any step.`,
    ]);
  });

  test.each([
    ['declared by the playbook', { playbook_variables: { __host__: { type: 'string' } } }, {}],
    ['declared by the step', {}, { step_variables: { __host__: { type: 'string' } } }],
    ['returned by a step', {}, { out_args: ['__host__'] }],
    ['returned by a step, listed as a map', {}, { out_args: { __host__: { type: 'string' } } }],
  ])('are those not %s', (_, members, changes) => {
    expect(rulesOf(using('ping __host__:value', members, changes))).toEqual([]);
  });

  test('do not include the results of capabilities', () => {
    expect(
      rulesOf(using('echo __svc_ssh_result__:value __soarca_http_api_result__:value')),
    ).toEqual([]);
  });

  test('cannot be told when a called playbook may return anything', () => {
    const call = id('playbook-action');
    const json = playbook({
      [call]: { type: 'playbook-action', playbook_id: id('playbook', 2), on_completion: step },
      [step]: action({ commands: [{ type: 'ssh', command: '__from_child__:value' }] }),
    });

    expect(rulesOf(json)).toEqual([]);
  });

  test('are found in headers, contents, conditions, targets and credentials', () => {
    const login = id('user-auth');
    const json = playbook(
      {
        [decision]: {
          type: 'if-condition',
          condition: "__c__:value = 'x'",
          on_true: step,
          on_completion: end,
        },
        [step]: action({
          commands: [
            { type: 'ssh', command: 'x', content: '__d__:value', headers: { A: ['__h__:value'] } },
          ],
          on_completion: end,
        }),
      },
      {
        target_definitions: {
          [target]: { type: 'linux', name: 'x', address: { dname: ['__t__:value'] } },
        },
        authentication_info_definitions: {
          [login]: { type: 'user-auth', username: 'x', password: '__p__:value' },
        },
      },
    );

    expect(rulesOf(json)).toEqual([
      `undefined-variable /workflow/${decision}/condition`,
      `undefined-variable /workflow/${step}/commands/0/content`,
      `undefined-variable /workflow/${step}/commands/0/headers/A/0`,
      `undefined-variable /target_definitions/${target}/address/dname/0`,
      `undefined-variable /authentication_info_definitions/${login}/password`,
    ]);
  });
});

describe('declarations', () => {
  test('under names no text can use are pointed out', () => {
    expect(findingsOf(using('x', { playbook_variables: { host: { type: 'string' } } }))).toEqual([
      'variable-name /playbook_variables/host: Variable host can never be used: its name is not of the form __name__.',
    ]);
  });

  test('that call themselves differently are pointed out', () => {
    expect(
      rulesOf(using('x', { playbook_variables: { __a__: { type: 'string', name: '__b__' } } })),
    ).toEqual(['variable-renamed /playbook_variables/__a__/name']);
  });

  test('of a step that hide a playbook variable are pointed out', () => {
    const declared = { __a__: { type: 'string' } };
    expect(
      rulesOf(using('x', { playbook_variables: declared }, { step_variables: declared })),
    ).toEqual([`variable-hidden /workflow/${step}/step_variables/__a__`]);
  });
});

describe('conditions', () => {
  const deciding = (condition: string) =>
    findingsOf(
      playbook(
        { [decision]: { type: 'if-condition', condition, on_true: end } },
        {
          playbook_variables: {
            __n__: { type: 'string', value: '10' },
            __i__: { type: 'integer' },
          },
        },
      ),
    );

  test('in prose are pointed out before they fail', () => {
    expect(deciding('The host is compromised')).toEqual([
      `condition /workflow/${decision}/condition: Step ${decision} will fail: The condition "The host is compromised" cannot be evaluated: one comparison such as __name__:value = 'text' is expected.`,
    ]);
  });

  test('that order a text variable against a number are pointed out', () => {
    expect(deciding('__n__:value > 9')).toEqual([
      `text-comparison /workflow/${decision}/condition: Step ${decision} compares a number with a variable declared as string, so 10 is less than 9.`,
    ]);
    expect(deciding('__i__:value > 9')).toEqual([]);
    expect(deciding('__n__:value = 9')).toEqual([]);
  });
});

describe('credentials', () => {
  test('in plain text are pointed out without repeating them', () => {
    const login = id('user-auth');
    const json = using('x', {
      agent_definitions: { [agent]: { type: 'svc', name: 'svc-ssh' } },
      authentication_info_definitions: {
        [login]: { type: 'user-auth', username: 'root', password: 'hunter2' },
      },
    });

    expect(findingsOf(json)).toEqual([
      `inline-credential /authentication_info_definitions/${login}/password: Authentication information ${login} holds its password as plain text; use a variable or a reference.`,
    ]);
  });

  test('that only say where the secret is kept are fine', () => {
    const json = using('x', {
      agent_definitions: { [agent]: { type: 'svc', name: 'svc-ssh' } },
      authentication_info_definitions: {
        [id('user-auth')]: { type: 'user-auth', username: 'root', password: 'env:SECRET_ROOT' },
      },
    });

    expect(findingsOf(json)).toEqual([]);
  });
});
