import { describe, expect, test } from 'vitest';
import { action, agent, end, findingsOf, id, playbook, rulesOf, target } from './draft-playbook.ts';

const step = id('action');
const nowhere = id('action', 99);

describe('references', () => {
  test('the start and the exception step are in the workflow', () => {
    expect(
      rulesOf(
        playbook({ [step]: action() }, { workflow_start: nowhere, workflow_exception: nowhere }),
      ),
    ).toEqual(
      expect.arrayContaining([
        'start-missing /workflow_start',
        'exception-missing /workflow_exception',
      ]),
    );
  });

  test.each(['on_completion', 'on_success', 'on_failure'])(
    '%s leads to a step of the workflow',
    (member) => {
      expect(findingsOf(playbook({ [step]: action({ [member]: nowhere }) }))).toContain(
        `step-missing /workflow/${step}/${member}: Step ${step} leads to ${nowhere}, which is not in the workflow.`,
      );
    },
  );

  test.each([
    [
      'if-condition',
      { condition: 'a = a', on_true: nowhere, on_false: nowhere },
      ['on_true', 'on_false'],
    ],
    ['while-condition', { condition: 'a = a', on_true: nowhere }, ['on_true']],
    ['parallel', { next_steps: [end, nowhere] }, ['next_steps/1']],
    ['switch-condition', { switch: 'a', cases: { '1': nowhere, default: end } }, ['cases/1']],
  ])('the branches of %s begin at steps of the workflow', (type, members, places) => {
    const key = id(type);
    expect(rulesOf(playbook({ [key]: { type, on_completion: end, ...members } }))).toEqual(
      places.map((place) => `branch-missing /workflow/${key}/${place}`),
    );
  });

  test('agents, targets and authentication information are defined', () => {
    const members = {
      agent: id('group', 9),
      targets: [target, id('linux', 9)],
      authentication_info: id('user-auth', 9),
    };

    expect(rulesOf(playbook({ [step]: action(members) }))).toEqual([
      `agent-missing /workflow/${step}/agent`,
      `target-missing /workflow/${step}/targets/1`,
      `authentication-missing /workflow/${step}/authentication_info`,
    ]);
  });

  test('authentication information of agents and targets is defined', () => {
    const login = { authentication_info: id('user-auth', 9) };
    const json = playbook(
      { [step]: action() },
      {
        agent_definitions: { [agent]: { type: 'svc', name: 'svc-ssh', ...login } },
        target_definitions: { [target]: { type: 'linux', name: 'x', address: {}, ...login } },
      },
    );

    expect(rulesOf(json)).toEqual([
      `authentication-missing /agent_definitions/${agent}/authentication_info`,
      `authentication-missing /target_definitions/${target}/authentication_info`,
    ]);
  });

  test('targets of older playbooks count', () => {
    const { target_definitions, ...rest } = playbook({ [step]: action() });

    expect(rulesOf({ ...rest, targets: target_definitions })).toEqual([]);
  });

  test('names every object has are not definitions', () => {
    expect(rulesOf(playbook({ [step]: action() }, { workflow_start: 'constructor' }))).toContain(
      'identifier /workflow_start',
    );
  });

  test('a marking that is not defined is a warning', () => {
    expect(findingsOf(playbook({ [step]: action() }, { markings: [id('marking-tlp')] }))).toEqual([
      `marking-missing /markings/0: Marking ${id('marking-tlp')} is not in data_marking_definitions.`,
    ]);
  });

  test('contacts have well-formed e-mail addresses', () => {
    const contact = {
      email: {
        work: 'ann@example.org',
        home: 'Ann <ann@example.org>',
        from: '__mail__:value',
        bad: 'ann',
      },
    };
    const json = playbook(
      { [step]: action() },
      {
        playbook_variables: { __mail__: { type: 'string' } },
        agent_definitions: { [agent]: { type: 'svc', name: 'svc-ssh', contact } },
      },
    );

    expect(findingsOf(json)).toEqual([
      `email-address /agent_definitions/${agent}/contact/email/bad: Contact bad is not an e-mail address.`,
    ]);
  });
});
