/** Playbooks as they are shared: with parts left open, and inside STIX bundles. */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { action, aPlaybook, end, start } from '../support/a-playbook.ts';
import { type Client, clientOf } from '../support/client.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let ask: Client;

beforeAll(async () => {
  service = await startService();
  ask = clientOf(service.url);
});
afterAll(() => service.dispose());

const corpus = (name: string) =>
  JSON.parse(readFileSync(new URL(`../corpus/${name}.json`, import.meta.url), 'utf8'));

const draft = corpus('unbound-draft');
const rules = ({ json }: { readonly json: { readonly [list: string]: { rule: string }[] } }) =>
  (json['bind'] ?? json['findings'] ?? []).map(({ rule }) => rule);
const toBind = [
  'step-incomplete',
  'no-commands',
  'target-missing',
  'no-commands',
  'step-incomplete',
  'agent-missing',
  'step-incomplete',
];

beforeEach(async () => {
  for (const { id } of (await ask('GET', '/playbook')).json) await ask('DELETE', `/playbook/${id}`);
});

describe('a playbook that lacks only what is to be bound', () => {
  test('is refused unless the caller is lenient', async () => {
    const strict = await ask('POST', '/playbook', { body: draft });
    const explicit = await ask('POST', '/playbook?lenient=false', { body: draft });

    expect([strict.status, explicit.status]).toEqual([400, 400]);
    expect((await ask('GET', '/playbook')).json).toEqual([]);
  });

  test('is a draft to the validation, which lists what to bind', async () => {
    const verdict = await ask('POST', '/validation', { body: draft });

    expect(verdict.json).toMatchObject({ valid: false, draft: true });
    expect(rules(verdict)).toEqual(toBind);
  });

  test('is stored leniently as it is, and still lists what to bind', async () => {
    const stored = await ask('POST', '/playbook?lenient=true', { body: draft });
    const verdict = await ask('GET', `/playbook/${draft.id}/validation`);

    expect([stored.status, stored.json]).toEqual([201, draft]);
    expect((await ask('GET', `/playbook/${draft.id}`)).text).toBe(JSON.stringify(draft));
    expect(rules(verdict)).toEqual(toBind);
  });

  test('is not executed, nor ad hoc or dry: the refusal lists what to bind', async () => {
    await ask('POST', '/playbook?lenient=true', { body: draft });

    const refusals = [
      await ask('POST', `/trigger/playbook/${draft.id}`),
      await ask('POST', '/trigger/playbook', { body: draft }),
      await ask('POST', '/execution/dry-run', { body: { playbook_id: draft.id } }),
    ];

    for (const refusal of refusals) {
      expect(refusal.status).toBe(400);
      expect(refusal.json.message).toContain('The playbook is a draft');
      expect(refusal.json.message).toContain('has no agent yet');
      expect(rules(refusal)).toEqual(toBind);
    }
    expect((await ask('GET', '/reporter')).json).toEqual([]);
  });

  test('fails the step of a playbook that calls it', async () => {
    await ask('POST', '/playbook?lenient=true', { body: draft });
    const caller = aPlaybook('caller', {
      start: start('call'),
      call: { type: 'playbook-action', playbook_id: draft.id, on_completion: 'end' },
      end,
    });

    const { json } = await ask('POST', '/trigger/playbook', { body: caller });

    expect(json.status).toBe('failed');
  });

  test('becomes executable by a replacement that binds everything', async () => {
    const name = 'to be bound';
    const steps = { start: start('a'), a: action('end'), end };
    const whole = aPlaybook(name, steps);
    const open = aPlaybook(name, { ...steps, a: action('end', { commands: [] }) });
    await ask('POST', '/playbook?lenient=true', { body: open });
    const half = await ask('PUT', `/playbook/${open.id}?lenient=true`, { body: open });

    const bound = await ask('PUT', `/playbook/${open.id}`, { body: whole });

    expect([half.status, bound.status]).toEqual([200, 200]);
    const verdict = (await ask('GET', `/playbook/${open.id}/validation`)).json;
    expect(verdict).toEqual({ valid: true, findings: expect.any(Array) });
    expect((await ask('POST', `/trigger/playbook/${open.id}`)).status).toBe(200);
  });
});

test('leniency does not extend to what is wrong', async () => {
  const { workflow_start: _, ...headless } = draft;

  const answer = await ask('POST', '/playbook?lenient=true', { body: headless });

  expect(answer.status).toBe(400);
  expect((await ask('POST', '/playbook?lenient=maybe', { body: draft })).status).toBe(400);
});

test('a STIX bundle is refused with what is wrong inside each of its playbooks', async () => {
  const bundle = corpus('stix-bundle');

  const verdict = await ask('POST', '/validation', { body: bundle });
  const refused = await ask('POST', '/playbook?lenient=true', { body: bundle });

  expect(verdict.json).toEqual({ valid: false, findings: expect.any(Array) });
  expect(rules({ json: { findings: verdict.json.findings } })).toEqual([
    'bundle',
    'step-missing',
    'unreachable',
    'embedded-playbook',
  ]);
  expect(refused.status).toBe(400);
  expect(refused.json.findings).toEqual(verdict.json.findings);
});
