/** What auditors find in the log of the started service: who did what, who was refused, and no token. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inSeconds } from '../peers/oidc/token-peer.ts';
import { action, aPlaybook, byPerson, end, idOf, start } from '../support/a-playbook.ts';
import { type Client, clientOf, until } from '../support/client.ts';
import { type Directory, startDirectory } from '../support/directory-tokens.ts';
import { type Service, startService } from '../support/service.ts';

const WHO = 'SIEM <client-1>';

let directory: Directory;
let service: Service;
let ask: Client;
let headers: Record<string, string>;
let keyDirectory: string;
const tokens: string[] = [];

beforeAll(async () => {
  keyDirectory = mkdtempSync(join(tmpdir(), 'theobroma-keys-'));
  directory = await startDirectory();
  service = await startService({
    environment: {
      ...directory.environment,
      ENABLE_SSH_KMS: 'true',
      SSH_KMS_DIR: keyDirectory,
      // Nothing turns the security log off.
      LOG_MODE: 'production',
      LOG_GLOBAL_LEVEL: 'panic',
    },
  });
  ask = clientOf(service.url);
  headers = await directory.headers(['Service.Admin']);
  tokens.push(headers['authorization'] ?? '');
});
afterAll(async () => {
  await service.dispose();
  await directory.peer.close();
  rmSync(keyDirectory, { recursive: true });
});

type SecurityLine = { readonly msg: string; readonly [field: string]: unknown };

const securityLines = (): readonly SecurityLine[] =>
  service.lines.flatMap((line) => {
    const json = line.startsWith('{') ? JSON.parse(line) : {};
    return json.component === 'security' ? [json] : [];
  });

/** Does something and answers the security events it left behind. */
async function eventsOf(act: () => Promise<unknown>, count = 1): Promise<readonly SecurityLine[]> {
  const before = securityLines().length;
  await act();
  return until(
    async () => securityLines().slice(before),
    (lines) => lines.length >= count,
  );
}

const playbook = aPlaybook('audited', { start: start('end'), end });
const waiting = aPlaybook('waiting', {
  start: start('ask'),
  ask: action('end', byPerson),
  end,
});
const path = `/playbook/${playbook['id']}`;

describe('who did it', () => {
  test.each<[string, string, string, string, unknown?]>([
    ['playbook_created', 'stores', 'POST', '/playbook', playbook],
    ['playbook_updated', 'replaces', 'PUT', path, playbook],
    ['execution_started', 'triggers', 'POST', `/trigger${path}`],
    ['execution_started', 'triggers ad hoc', 'POST', '/trigger/playbook', playbook],
    ['playbook_deleted', 'deletes', 'DELETE', path],
  ])('%s names who %s a playbook', async (event, _, method, address, body) => {
    const events = await eventsOf(() => ask(method, address, { headers, body }));

    expect(events[0]).toMatchObject({ msg: event, caller: WHO, playbookId: playbook['id'] });
  });

  test('pausing, resuming, cancelling and beginning again are recorded with who did it', async () => {
    const prefer = { ...headers, prefer: 'respond-async' };
    const started = await ask('POST', '/trigger/playbook', { headers: prefer, body: waiting });
    const executionId = started.json['execution-id'];
    const control = (verb: string, body?: unknown) =>
      ask('POST', `/execution/${executionId}/${verb}`, { headers, body });

    for (const [verb, asked] of [
      ['pause', 'pause'],
      ['resume', 'go'],
      ['cancel', 'cancel'],
    ] as const) {
      const [event] = await eventsOf(() => control(verb));
      expect(event).toMatchObject({
        msg: 'execution_controlled',
        control: asked,
        caller: WHO,
        executionId,
      });
    }
    await until(
      () => ask('GET', `/reporter/${executionId}`, { headers }),
      ({ status }) => status === 200,
    );
    const events = await eventsOf(() => control('rerun', { step_id: idOf('action', 'ask') }));
    const [again] = events.filter(({ msg }) => msg === 'execution_started');
    expect(again).toMatchObject({ caller: WHO });
    await ask('POST', `/execution/${again?.['executionId']}/cancel`, { headers });
  });

  test('an answer is recorded with who gave it, in the log and in the report', async () => {
    const prefer = { ...headers, prefer: 'respond-async' };
    const started = await ask('POST', '/trigger/playbook', { headers: prefer, body: waiting });
    const executionId = started.json['execution-id'];
    const stepId = idOf('action', 'ask');
    await until(
      () => ask('GET', `/manual/${executionId}/${stepId}`, { headers }),
      ({ status }) => status === 200,
    );
    const body = { execution_id: executionId, step_id: stepId, response_status: 'success' };

    const events = await eventsOf(() => ask('POST', '/manual/continue', { headers, body }));
    const report = await until(
      () => ask('GET', `/reporter/${executionId}`, { headers }),
      ({ status }) => status === 200,
    );

    expect(events[0]).toMatchObject({ msg: 'manual_answered', caller: WHO, executionId, stepId });
    expect(report.text).toContain(WHO);
  });

  test('changes of keys are recorded with who made them', async () => {
    const pair = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 });
    const body = { public: pair.public, private: pair.private };

    for (const [event, method, address, sent] of [
      ['key_added', 'PUT', '/keymanagement/web', body],
      ['key_replaced', 'PATCH', '/keymanagement/web', body],
      ['key_revoked', 'DELETE', '/keymanagement/web'],
      ['keys_refreshed', 'POST', '/keymanagement/refresh'],
    ] as const) {
      const [line] = await eventsOf(() => ask(method, address, { headers, body: sent }));
      expect(line).toMatchObject({ msg: event, caller: WHO });
    }
  });
});

describe('who was refused', () => {
  test('a caller without the role is named, with what was asked for', async () => {
    const reader = await directory.headers(['Playbook.Read']);
    tokens.push(reader.authorization);

    const [line] = await eventsOf(() => ask('DELETE', path, { headers: reader }));

    expect(line).toMatchObject({
      msg: 'access_refused',
      code: 'forbidden',
      caller: WHO,
      needs: 'playbook:write',
      route: 'playbook-remove',
      method: 'DELETE',
      path,
    });
  });

  test('a token that is not accepted leaves the reason', async () => {
    const expired = await directory.headers(['Service.Admin'], { exp: inSeconds(-100) });
    tokens.push(expired.authorization);

    const [line] = await eventsOf(() => ask('GET', '/nowhere', { headers: expired }));

    expect(line).toMatchObject({
      msg: 'access_refused',
      code: 'token-invalid',
      reason: 'The bearer token is not accepted: it has expired.',
      method: 'GET',
      path: '/nowhere',
    });
    expect(line).not.toHaveProperty('caller');
  });
});

test('no token is written anywhere', async () => {
  await service.stop();
  const log = service.lines.join('\n');

  expect(tokens).toHaveLength(3);
  for (const token of tokens) {
    const [, , signature = ''] = token.split('.');
    expect(signature.length).toBeGreaterThan(100);
    expect(log).not.toContain(signature);
  }
});
