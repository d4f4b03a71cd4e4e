import { describe, expect, test } from 'vitest';
import {
  action,
  agent,
  findingsOf,
  id,
  type Members,
  playbook,
  rulesOf,
} from './draft-playbook.ts';

const step = id('action');

function withAgent(members: Members, changes: Members = {}): Members {
  return playbook(
    { [step]: action(changes) },
    { agent_definitions: { [agent]: { type: 'svc', ...members } } },
  );
}

describe('agents', () => {
  test('that stand for no capability are pointed out', () => {
    expect(findingsOf(withAgent({ name: 'svc-quantum' }))).toEqual([
      `no-capability /workflow/${step}/agent: Step ${step} has the agent svc-quantum, which is no known capability.`,
    ]);
  });

  test('may be fins known by name, or named by a variable', () => {
    const fins = { knownCapabilities: new Set(['pong']), agentPrefixes: ['svc'] };

    expect(rulesOf(withAgent({ name: 'pong' }), fins)).toEqual([]);
    expect(rulesOf(withAgent({ name: 'svc-__kind__:value' }))).toEqual([]);
  });
});

describe('targets', () => {
  test('are missed where the capability needs one', () => {
    expect(findingsOf(withAgent({ name: 'svc-ssh' }, { targets: [] }))).toEqual([
      `no-targets /workflow/${step}: Step ${step} has no targets, so ssh cannot run it.`,
    ]);
  });

  test('are not missed by people', () => {
    const manual = { targets: [], commands: [{ type: 'manual', command: 'Call Ann' }] };

    expect(rulesOf(withAgent({ name: 'svc-manual' }, manual))).toEqual([]);
  });
});

describe('commands', () => {
  const command = (members: Members, name = 'svc-ssh') =>
    findingsOf(withAgent({ name }, { commands: [members] }));

  test('of an unknown type are pointed out', () => {
    expect(command({ type: 'telepathy', command: 'x' })).toEqual([
      `unknown-command /workflow/${step}/commands/0/type: Command 1 of step ${step} has the unknown type telepathy.`,
    ]);
  });

  test('that do not fit the capability are pointed out', () => {
    expect(command({ type: 'http-api', command: 'GET / HTTP/1.1' })).toEqual([
      `command-mismatch /workflow/${step}/commands/0/type: Command 1 of step ${step} has the type http-api, but its agent is ssh.`,
    ]);
    expect(command({ type: 'openc2', command: 'POST / HTTP/1.1' }, 'svc-openc2-http')).toEqual([]);
    expect(command({ type: 'bash', command: 'ls' })).toEqual([]);
  });

  test('that say nothing are pointed out', () => {
    expect(command({ type: 'ssh' })).toEqual([
      `empty-command /workflow/${step}/commands/0: Command 1 of step ${step} has no command or command_b64.`,
    ]);
    expect(command({ type: 'ssh', command_b64: 'bHM=' })).toEqual([]);
  });

  test('whose base64 cannot be decoded are pointed out', () => {
    expect(command({ type: 'ssh', command: 'ls', content_b64: 'not base64' })).toEqual([
      `not-base64 /workflow/${step}/commands/0/content_b64: Command 1 of step ${step} has a content_b64 that is not base64.`,
    ]);
  });
});

describe('single steps of older playbooks', () => {
  test('need commands and an agent', () => {
    const old = id('step');
    const json = playbook({ [old]: { type: 'single', on_completion: id('end') } });

    expect(rulesOf(json)).toEqual([`no-commands /workflow/${old}`, `no-agent /workflow/${old}`]);
  });
});
