import { describe, expect, test } from 'vitest';
import { validatePlaybook } from '../../../../core/cacao/validation/validate-playbook.ts';
import {
  action,
  agent,
  end,
  findingsOf,
  id,
  options,
  playbook,
  rulesOf,
  start,
  target,
} from './draft-playbook.ts';

const step = id('action');

describe('the schema of a playbook', () => {
  test('accepts a sound playbook without any finding', () => {
    expect(validatePlaybook(playbook({ [step]: action() }), options)).toEqual({
      valid: true,
      findings: [],
    });
  });

  test.each([
    'type',
    'spec_version',
    'id',
    'name',
    'created_by',
    'created',
    'modified',
    'workflow_start',
    'workflow',
  ])('requires %s', (member) => {
    const { [member]: _, ...rest } = playbook({ [step]: action() });

    expect(findingsOf(rest)).toContain(
      `required-property : The playbook lacks the required property ${member}.`,
    );
    expect(validatePlaybook(rest, options).valid).toBe(false);
  });

  test.each([
    ['type', 'x', 'property-value /type: Property type of the playbook must be playbook.'],
    [
      'spec_version',
      'cacao-1.0',
      'spec-version /spec_version: Property spec_version of the playbook must be cacao-2.0.',
    ],
    ['name', 1, 'property-type /name: Property name of the playbook must be a text.'],
    [
      'id',
      'playbook--1',
      'identifier /id: Property id of the playbook must be an identifier, <type>--<uuid>.',
    ],
    [
      'created',
      '2024-05-01',
      'timestamp /created: Property created of the playbook must be a UTC time such as 2024-05-01T12:00:00.000Z.',
    ],
    [
      'created',
      '2024-05-01T12:00:00+02:00',
      'timestamp /created: Property created of the playbook must be a UTC time such as 2024-05-01T12:00:00.000Z.',
    ],
    [
      'priority',
      101,
      'property-value /priority: Property priority of the playbook must be <= 100.',
    ],
    [
      'severity',
      1.5,
      'property-type /severity: Property severity of the playbook must be a whole number.',
    ],
    [
      'revoked',
      'no',
      'property-type /revoked: Property revoked of the playbook must be true or false.',
    ],
    [
      'labels',
      ['a', 1],
      'property-type /labels/1: Entry 2 of property labels of the playbook must be a text.',
    ],
    [
      'external_references',
      [{}],
      'required-property /external_references/0: Entry 1 of property external_references of the playbook lacks the required property name.',
    ],
    [
      'playbook_variables',
      { __x__: {} },
      'required-property /playbook_variables/__x__: Variable __x__ lacks the required property type.',
    ],
    [
      'playbook_variables',
      { __x__: { type: 'string', value: 1 } },
      'property-type /playbook_variables/__x__/value: Property value of variable __x__ must be a text or null.',
    ],
  ])('refuses %s %j', (member, value, finding) => {
    expect(findingsOf(playbook({ [step]: action() }, { [member]: value }))).toContain(finding);
  });

  test.each([
    [
      'empty lists',
      {
        labels: [],
        derived_from: [],
        markings: [],
        external_references: [],
        related_to: [],
        signatures: [],
      },
    ],
    [
      'empty maps',
      { playbook_variables: {}, extension_definitions: {}, data_marking_definitions: {} },
    ],
    ['whole numbers written with a point', JSON.parse('{"priority": 3.0}')],
    ['a null value', { playbook_variables: { __x__: { type: 'string', value: null } } }],
    ['UUIDs of any version', { created_by: 'identity--0190b9c2-7c1a-7f3e-8a53-2d1c3b4a5f60' }],
    [
      'members the format does not know',
      { x_custom: { any: ['thing'] }, features: { if_logic: true, other: 1 } },
    ],
    ['many fraction digits', { modified: '2024-05-01T12:00:00.123456789Z' }],
  ])('accepts %s', (_, members) => {
    expect(rulesOf(playbook({ [step]: action() }, members))).toEqual([]);
  });
});

describe('the schema of steps', () => {
  const broken = (members: object) =>
    rulesOf(JSON.parse(JSON.stringify(playbook({ [step]: action({ ...members }) }))));

  test.each([
    ['delay below zero', { delay: -1 }, [`property-value /workflow/${step}/delay`]],
    ['a timeout in words', { timeout: '5s' }, [`property-type /workflow/${step}/timeout`]],
    ['an owner that is no identifier', { owner: 'me' }, [`identifier /workflow/${step}/owner`]],
    [
      'a successor that is no identifier',
      { on_failure: 'x' },
      [`identifier /workflow/${step}/on_failure`],
    ],
    ['no commands', { commands: [] }, [`no-commands /workflow/${step}/commands`]],
    ['missing commands', { commands: undefined }, [`no-commands /workflow/${step}`]],
    [
      'a command without type',
      { commands: [{ command: 'x' }] },
      [`required-property /workflow/${step}/commands/0`],
    ],
    ['out_args of numbers', { out_args: [1] }, [`property-type /workflow/${step}/out_args/0`]],
    ['an unknown type', { type: 'dance' }, [`step-type /workflow/${step}`]],
    [
      'a type that does not fit the id',
      { type: 'end' },
      [`step-type /workflow/${step}/type`, `unexpected-property /workflow/${step}/on_completion`],
    ],
  ])('refuses %s', (_, members, rules) => {
    expect(broken(members).filter((rule) => rules.includes(rule))).toEqual(rules);
  });

  test.each([
    ['a delay of zero', { delay: 0 }],
    ['empty targets and arguments beside a manual agent', { in_args: [], out_args: [] }],
    [
      'arguments as a map',
      { in_args: { __a__: { type: 'string' } }, out_args: { __b__: { type: 'string' } } },
    ],
    [
      'headers as text or list',
      { commands: [{ type: 'ssh', command: 'x', headers: { A: ['1', '2'], B: '3' } }] },
    ],
  ])('accepts %s', (_, members) => {
    expect(broken(members)).toEqual([]);
  });

  test('start and end steps have no successors the format forbids', () => {
    const json = playbook(
      {},
      {
        workflow: {
          [start]: { type: 'start', on_success: end },
          [end]: { type: 'end', on_completion: start },
        },
      },
    );

    expect(findingsOf(json)).toEqual(
      expect.arrayContaining([
        `unexpected-property /workflow/${start}/on_success: Property on_success of step ${start} must not be there.`,
        `unexpected-property /workflow/${end}/on_completion: Property on_completion of step ${end} must not be there.`,
      ]),
    );
  });

  test.each([
    ['if-condition', ['on_true']],
    ['while-condition', ['on_true']],
    ['switch-condition', ['cases']],
    ['parallel', ['next_steps']],
  ])('%s steps require %j', (type, members) => {
    const key = id(type);
    const found = findingsOf(playbook({ [key]: { type, on_completion: end } }));
    for (const member of members) {
      expect(found).toContain(
        `required-property /workflow/${key}: Step ${key} lacks the required property ${member}.`,
      );
    }
  });

  test.each([
    ['if-condition', 'condition'],
    ['while-condition', 'condition'],
    ['switch-condition', 'switch'],
    ['playbook-action', 'playbook_id'],
    ['action', 'agent'],
  ])('%s steps are incomplete without %s', (type, member) => {
    const key = id(type);
    expect(findingsOf(playbook({ [key]: { type, on_completion: end } }))).toContain(
      `step-incomplete /workflow/${key}: Step ${key} has no ${member} yet.`,
    );
  });

  test('steps under ids of older playbooks are checked by their type', () => {
    const old = id('step');

    expect(rulesOf(playbook({ [old]: action() }))).toEqual([]);
    expect(rulesOf(playbook({ [old]: action({ delay: 'x' }) }))).toEqual([
      `property-type /workflow/${old}/delay`,
    ]);
    expect(
      rulesOf(
        playbook({
          [old]: {
            ...action(),
            type: 'single',
            commands: undefined,
            command: { type: 'ssh', command: 'ls' },
          },
        }),
      ),
    ).toEqual([]);
  });
});

describe('the schema of definitions', () => {
  const targetWith = (kind: string, members: object) =>
    rulesOf(
      playbook(
        { [step]: action({ targets: [id(kind)] }) },
        { target_definitions: { [id(kind)]: { type: kind, name: 'x', ...members } } },
      ),
    );

  test.each(['net-address', 'linux', 'ssh', 'http-api'])(
    'a target of type %s has an address',
    (kind) => {
      expect(targetWith(kind, {})).toEqual([`required-property /target_definitions/${id(kind)}`]);
    },
  );

  test('the type of an agent or target equals the prefix of its id', () => {
    expect(targetWith('ssh', { type: 'linux', address: {} })).toEqual([
      `property-value /target_definitions/${id('ssh')}/type`,
    ]);
    expect(targetWith('my-own-kind', { type: 'anything' })).toEqual([]);
  });

  test('a sector names itself and a security category has categories', () => {
    expect(targetWith('sector', {})).toEqual([
      `required-property /target_definitions/${id('sector')}`,
    ]);
    expect(targetWith('security-category', { category: [] })).toEqual([
      `list-too-short /target_definitions/${id('security-category')}/category`,
    ]);
  });

  test.each([
    ['ipv4', ['10.0.0.1', '__ip__:value']],
    ['ipv6', ['::1', 'fe80::1%eth0', '__ip__:value']],
    ['l2mac', ['00:1a:2b:3c:4d:5e', '__ip__:value']],
    ['vlan', [0, 4095, '12', '__ip__:value']],
    ['dname', ['localhost', 'anything']],
    [
      'url',
      [
        'http://10.0.0.1/',
        'http://localhost:8080',
        'https://h/x?y=z',
        'www.example.com',
        'http://__ip__:value/',
      ],
    ],
  ])('addresses of kind %s may be %j', (kind, list) => {
    const variables = { playbook_variables: { __ip__: { type: 'string' } } };
    const targets = { [target]: { type: 'linux', name: 'x', address: { [kind]: list } } };
    expect(
      rulesOf(playbook({ [step]: action() }, { ...variables, target_definitions: targets })),
    ).toEqual([]);
  });

  test.each([
    ['ipv4', '300.0.0.1'],
    ['ipv6', '1:2'],
    ['l2mac', '00-1a'],
    ['vlan', '9999'],
    ['url', 'ftp://x'],
  ])('an address of kind %s may not be %s', (kind, value) => {
    expect(targetWith('linux', { address: { [kind]: [value] } })).toEqual([
      `address /target_definitions/${target}/address/${kind}/0`,
    ]);
  });

  const credentials = (kind: string, members: object) =>
    findingsOf(
      playbook(
        { [step]: action() },
        { authentication_info_definitions: { [id(kind)]: { type: kind, ...members } } },
      ),
    ).map((text) => text.slice(text.lastIndexOf(' ') + 1));

  test('authentication information has what its type needs', () => {
    expect(credentials('http-basic', {})).toEqual(['user_id.', 'password.']);
    expect(credentials('oauth2', {})).toEqual(['oauth_header.', 'token.']);
    expect(credentials('user-auth', {})).toEqual(['password.', 'username.']);
    expect(credentials('private-key', {})).toEqual([]);
  });

  test('a key of the service takes the place of the password', () => {
    expect(credentials('user-auth', { username: 'x', kms: true, kms_key_identifier: 'k' })).toEqual(
      [],
    );
    expect(credentials('user-auth', { username: 'x', kms: false })).toEqual(['password.']);
  });

  test('markings have what their type needs', () => {
    const marking = id('marking-tlp');
    const common = { id: marking, created_by: id('identity'), created: '2024-05-01T12:00:00Z' };
    const found = (members: object) =>
      rulesOf(
        playbook(
          { [step]: action() },
          { data_marking_definitions: { [marking]: { ...common, ...members } } },
        ),
      );

    expect(found({ type: 'marking-tlp', tlpv2_level: 'TLP:RED' })).toEqual([]);
    expect(found({ type: 'marking-tlp', tlpv2_level: 'RED' })).toEqual([
      `property-value /data_marking_definitions/${marking}/tlpv2_level`,
    ]);
    expect(found({ type: 'marking-statement' })).toEqual([
      `required-property /data_marking_definitions/${marking}`,
    ]);
    expect(found({ type: 'marking-x' })).toEqual([
      `property-value /data_marking_definitions/${marking}`,
    ]);
  });

  test('agents without type or name are refused', () => {
    expect(rulesOf(playbook({ [step]: action() }, { agent_definitions: { [agent]: {} } }))).toEqual(
      [
        `required-property /agent_definitions/${agent}`,
        `required-property /agent_definitions/${agent}`,
      ],
    );
  });
});
