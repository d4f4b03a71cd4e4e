/** Builds valid CACAO 2.0 playbooks with readable step names instead of identifiers. */

import type { JsonObject, JsonValue } from '../../core/json.ts';

type StepJson = { readonly type: string; readonly [member: string]: JsonValue };

/** `block` as an action becomes action--<uuid>, always the same for the same name. */
export function idOf(type: string, name: string): string {
  return `${type}--${uuidOf(name)}`;
}

export function playbookIdOf(name: string): string {
  return `playbook--${uuidOf(name)}`;
}

function uuidOf(name: string): string {
  const hex = [...name]
    .reduce((digits, letter) => digits + letter.charCodeAt(0).toString(16).padStart(2, '0'), '')
    .padEnd(12, '0')
    .slice(0, 24)
    .padStart(24, 'a');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(12, 15)}-8${hex.slice(15, 18)}-${`${hex.slice(18)}${hex}`.slice(0, 12)}`;
}

const references = ['on_completion', 'on_success', 'on_failure', 'on_true', 'on_false'] as const;

/**
 * `steps` by short name; successors are short names too. The first step is where the workflow starts.
 * Actions use the agent and target called `box` unless they name others.
 */
export function aPlaybook(
  name: string,
  steps: { readonly [name: string]: StepJson },
  more: JsonObject = {},
): JsonObject {
  const ids = new Map(Object.entries(steps).map(([key, { type }]) => [key, idOf(type, key)]));
  const idFor = (value: JsonValue) =>
    typeof value === 'string' ? (ids.get(value) ?? value) : value;
  const workflow = Object.fromEntries(
    Object.entries(steps).map(([key, step]) => [idFor(key), withIds(key, step, idFor)]),
  );
  const { workflow_exception: exception, ...rest } = more;
  return {
    type: 'playbook',
    spec_version: 'cacao-2.0',
    id: playbookIdOf(name),
    name,
    created_by: 'identity--5abe695c-7bd5-4c31-8824-2528696cdbf1',
    created: '2026-01-01T00:00:00.000Z',
    modified: '2026-01-01T00:00:00.000Z',
    workflow_start: idFor(Object.keys(steps)[0] ?? ''),
    ...(exception === undefined ? {} : { workflow_exception: idFor(exception) }),
    workflow,
    agent_definitions: agents,
    target_definitions: targets,
    ...rest,
  };
}

export const agentIds = {
  box: 'http-api--11111111-1111-4111-8111-111111111111',
  person: 'individual--22222222-2222-4222-8222-222222222222',
};
export const targetIds = {
  box: 'http-api--33333333-3333-4333-8333-333333333333',
  other: 'http-api--44444444-4444-4444-8444-444444444444',
};

const agents: JsonObject = {
  [agentIds.box]: {
    type: 'http-api',
    name: 'svc-http-api',
    address: { url: ['http://127.0.0.1/'] },
  },
  [agentIds.person]: { type: 'individual', name: 'svc-manual' },
};

const targets: JsonObject = {
  [targetIds.box]: { type: 'http-api', name: 'box', address: { url: ['http://127.0.0.1:9/'] } },
  [targetIds.other]: { type: 'http-api', name: 'other', address: { url: ['http://127.0.0.1:9/'] } },
};

function withIds(name: string, step: StepJson, idFor: (value: JsonValue) => JsonValue): JsonObject {
  const { next_steps: branches, cases, ...members } = step;
  const pointed = references.flatMap((member) => {
    const value = members[member];
    return value === undefined ? [] : [[member, idFor(value)] as const];
  });
  return {
    name,
    ...actionParts(name, step),
    ...members,
    ...Object.fromEntries(pointed),
    ...(Array.isArray(branches)
      ? { next_steps: branches.map((branch: JsonValue) => idFor(branch)) }
      : {}),
    ...(typeof cases === 'object' && cases !== null
      ? {
          cases: Object.fromEntries(
            Object.entries(cases).map(([key, value]) => [key, idFor(value)]),
          ),
        }
      : {}),
  };
}

function actionParts(name: string, step: StepJson): JsonObject {
  if (step.type !== 'action') return {};
  return {
    agent: agentIds.box,
    targets: [targetIds.box],
    commands: [{ type: 'http-api', command: `GET /${name} HTTP/1.1` }],
  };
}

/** The parts of an action that a person carries out. */
export const byPerson = {
  agent: agentIds.person,
  targets: [],
  commands: [{ type: 'manual', command: 'Look and tell' }],
} as const;

export const start = (next: string) => ({ type: 'start', on_completion: next }) as const;
export const end = { type: 'end' } as const;
export const action = (next?: string, more: JsonObject = {}): StepJson => ({
  type: 'action',
  ...(next === undefined ? {} : { on_completion: next }),
  ...more,
});
