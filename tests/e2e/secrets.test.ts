/**
 * No secret anywhere: playbooks full of marked secrets run through the started product, succeeding and
 * failing, against targets that send back whatever they are given. Afterwards the marks are searched for
 * in the databases, the log, every answer of the API and everything reporters were told.
 *
 * What was submitted is kept as it was submitted: secrets written into a playbook or given as variables
 * stand in the tables below, and nowhere else. Secrets by reference stand nowhere at all.
 */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.ts';
import { CASE_TOKEN, type CasePeer, startCasePeer } from '../peers/case-management/case-peer.ts';
import { type Sshd, skipSshd, startSshd } from '../peers/sshd/start-sshd.ts';
import { startWinRmPeer, type WinRmPeer } from '../peers/winrm/winrm-peer.ts';
import { action, byPerson, end, idOf, start } from '../support/a-playbook.ts';
import { type Client, clientOf, type Reply, until } from '../support/client.ts';
import { type HttpTarget, startHttpTarget } from '../support/http-target.ts';
import { coreOf, filesBelow, leaksIn, mark, tablesOf } from '../support/marked-secrets.ts';
import { box, inTurn, remote, request, web, withSecrets } from '../support/secretive-playbook.ts';
import { type Service, startService } from '../support/service.ts';

const asSubmitted = ['playbooks', 'snapshots', 'variables'];

/** Written into playbooks, or given as values of variables that credentials use. */
const submitted = ['Basic', 'Token', 'Variable', 'Answer', 'Windows'];
/** Kept in the environment; playbooks only refer to them. */
const referred = ['EnvBasic', 'EnvToken', 'EnvWindows'];
const settings = ['WebhookKey', 'CalderaKey'];
const secretsOf = (names: readonly string[]) => names.map(coreOf);
/** The password of the ssh account is made by the machine. */
let sshPassword = coreOf('NoSshd');

let echo: HttpTarget;
let receiver: HttpTarget;
let cases: CasePeer;
let windows: WinRmPeer;
let sshd: Sshd | undefined;
let service: Service;
let ask: Client;
const answers: Reply[] = [];

beforeAll(async () => {
  echo = await startHttpTarget(({ url, headers, body }) => ({
    status: url.includes('/fail/') ? 500 : 200,
    headers: { 'X-Back': String(headers.authorization ?? '') },
    body: `${JSON.stringify({ url, headers, body })} ${body} ${headers['x-key'] ?? ''}`,
  }));
  receiver = await startHttpTarget();
  cases = await startCasePeer();
  windows = await startWinRmPeer({
    schemes: ['Negotiate'],
    accounts: { inline: mark('Windows'), referred: mark('EnvWindows') },
    run: ({ script }) => {
      const said = Buffer.from(`${script} ${mark('Windows')} ${mark('EnvWindows')}`);
      return script.includes('fail say') ? { stderr: [said], exitCode: 1 } : { stdout: [said] };
    },
  });
  if (!skipSshd) {
    sshd = await startSshd();
    sshPassword = sshd.password;
    await writeFile(join(sshd.home, 'password'), sshd.password);
  }
  service = await startService({
    environment: {
      LOG_GLOBAL_LEVEL: 'trace',
      HTTP_FRAMEWORK_MODE: 'debug',
      SECRET_BASIC: mark('EnvBasic'),
      SECRET_TOKEN: mark('EnvToken'),
      SECRET_WINDOWS: mark('EnvWindows'),
      SECRET_SSH: sshPassword,
      CALDERA_HOST: `http://127.0.0.1:${echo.port}`,
      CALDERA_API_KEY: coreOf('CalderaKey'),
      REPORT_WEBHOOK_URL: receiver.url,
      REPORT_WEBHOOK_SECRET: coreOf('WebhookKey'),
      MANUAL_WEBHOOK_URL: receiver.url,
      CASEMGR_ACTIVATE: 'true',
      CASEMGR_API_TOKEN: CASE_TOKEN,
      CASEMGR_API_BASE_URL: cases.url,
    },
  });
  const client = clientOf(service.url);
  ask = async (...call) => {
    const reply = await client(...call);
    if (call[0] !== 'GET' || !call[1].startsWith('/playbook')) answers.push(reply);
    return reply;
  };
});
afterAll(async () => {
  await service.dispose();
  for (const peer of [cases, windows, sshd]) await peer?.stop();
  await receiver.close();
  await echo.close();
});

const places = () => ({ webUrl: echo.url, windowsPort: windows.port, ssh: sshd });

async function triggered(playbook: JsonObject): Promise<JsonObject> {
  const answer = await ask('POST', '/trigger/playbook', { body: playbook });
  return (await ask('GET', `/reporter/${answer.json['execution-id']}`)).json;
}

/** Per action, in the order of the playbook. */
const statusesOf = (report: JsonObject) =>
  Object.values(report['step_results'] as Record<string, { status: string; step_id: string }>)
    .filter(({ step_id }) => step_id.startsWith('action--'))
    .map(({ status }) => status);
const ok = 'successfully_executed';

describe('playbooks full of secrets', () => {
  const reached = [
    web.basicInline,
    web.tokenInline,
    web.byVariable,
    web.basicReferred,
    web.tokenReferred,
  ];

  test('call HTTP targets that send everything back', async () => {
    const steps = [
      ...reached.map((target) => request('/ok', [target])),
      ...reached.map((target) => request('/fail', [target])),
      request('/ok', reached, 'openc2-http'),
      request('/fail', [web.tokenReferred], 'openc2-http'),
      request('/ok', [web.missing]),
    ];

    const report = await triggered(withSecrets(places(), 'web', inTurn(steps)));

    expect(statusesOf(report)).toEqual([
      ...Array(5).fill(ok),
      ...Array(5).fill('failed'),
      ok,
      'failed',
      'client_side_error',
    ]);
    const got = JSON.stringify(echo.received.map(({ headers }) => headers.authorization));
    expect(got).toContain(Buffer.from(`me:${mark('EnvBasic')}`).toString('base64'));
    expect(got).toContain(coreOf('EnvToken'));
  });

  test.skipIf(skipSshd)('run commands over ssh', async () => {
    const steps = [
      remote('ssh', box.ssh, "cat password; echo '__secret__:value'"),
      remote('ssh', box.ssh, "cat password >&2; echo '__secret__:value' >&2; exit 3"),
      request('/ok', [web.basicInline]),
    ];

    const report = await triggered(withSecrets(places(), 'ssh', inTurn(steps)));

    expect(statusesOf(report)).toEqual([ok, 'failed', ok]);
  });

  test('run powershell', async () => {
    const script = "say '__secret__:value'";
    const steps = [box.windowsInline, box.windowsReferred].flatMap((target) => [
      remote('powershell', target, script),
      remote('powershell', target, `fail ${script}`),
    ]);

    const report = await triggered(withSecrets(places(), 'powershell', inTurn(steps)));

    expect(statusesOf(report)).toEqual([ok, 'failed', ok, 'failed']);
    expect(windows.refusals).toEqual([]);
  });

  test('meet a Caldera server that sends its key back', async () => {
    const ability = '43b3754c-def4-4699-a673-1d85648fda6a';
    const steps = [remote('caldera-cmd', box.caldera, ability)];

    const report = await triggered(withSecrets(places(), 'caldera', inTurn(steps)));

    expect(statusesOf(report)).toEqual(['failed']);
    expect(JSON.stringify(echo.received.at(-1)?.headers)).toContain(coreOf('CalderaKey'));
  });

  test('ask a person, who answers with one', async () => {
    const question = {
      ...byPerson,
      description: 'Log in',
      commands: [{ type: 'manual', command: 'Log in with __secret__:value' }],
      targets: [web.byVariable],
      out_args: ['__secret__'],
    };
    const after = request('/ok', [web.byVariable]);
    const playbook = withSecrets(places(), 'manual', {
      start: start('ask'),
      ask: action('after', question),
      after: action('end', after),
      end,
    });
    const headers = { prefer: 'respond-async' };
    const { json } = await ask('POST', '/trigger/playbook', { body: playbook, headers });
    const execution_id = json['execution-id'];
    const step_id = idOf('action', 'ask');
    await until(
      () => ask('GET', `/manual/${execution_id}/${step_id}`),
      ({ status }) => status === 200,
    );
    await ask('GET', '/manual');
    const answer = { execution_id, step_id, response_status: 'success' };
    const wrong = { __secret__: { type: 'integer', value: mark('Answer') } };
    const right = { __secret__: { type: 'string', value: mark('Answer') } };
    await ask('POST', '/manual/continue', { body: { ...answer, response_out_args: wrong } });
    await ask('POST', '/manual/continue', { body: { ...answer, response_out_args: right } });

    const report = await until(
      () => ask('GET', `/reporter/${execution_id}`),
      ({ status }) => status === 200,
    );
    expect(report.json.status).toBe(ok);
    expect(echo.received.at(-1)?.body).toContain(coreOf('Answer'));
  });

  test('decide by them, call each other and stumble over them', async () => {
    const child = withSecrets(
      places(),
      'child',
      inTurn([request('/fail', [web.basicReferred])]),
      {},
    );
    await ask('POST', '/playbook', { body: child });
    await ask('POST', '/playbook', { body: child });
    const id = String(child['id']);
    const deciding = withSecrets(places(), 'deciding', {
      start: start('call'),
      call: { type: 'playbook-action', playbook_id: id, on_completion: 'decide' },
      decide: {
        type: 'if-condition',
        condition: '__number__:value < __secret__:value',
        on_true: 'end',
        on_completion: 'end',
      },
      end,
    });

    const report = await triggered(deciding);
    const unknown = await ask('POST', `/trigger/playbook/${id}`, {
      body: { __secret__: { type: 'string', value: mark('Variable') } },
    });

    expect(report['status']).toBe('failed');
    expect(JSON.stringify(report['errors'])).toContain('***');
    expect(unknown.status).toBe(400);
  });
});

test('the search finds a mark however it is spelt', () => {
  const secret = mark('Basic');
  const spelt = [
    secret,
    encodeURIComponent(secret),
    btoa(`"${coreOf('Basic')}`),
    btoa(btoa(coreOf('Basic'))),
  ];

  expect(
    spelt.filter((text) => leaksIn('here', `{"x":"${text}"}`, [coreOf('Basic')]).length === 0),
  ).toEqual([]);
  expect(leaksIn('here', 'nothing', [coreOf('Basic')])).toEqual([]);
});

describe('no mark is found', () => {
  const all = () => [...secretsOf([...submitted, ...referred, ...settings]), sshPassword];

  test('in any answer of the API', async () => {
    const reports = (await ask('GET', '/reporter')).json as readonly JsonObject[];
    for (const path of [
      '/status',
      '/status/history',
      '/status/playbook',
      '/manual',
      '/execution',
    ]) {
      await ask('GET', path);
    }
    for (const { execution_id, playbook_id } of reports) {
      await ask('GET', `/reporter/${execution_id}`);
      await ask('GET', `/status/playbook/${playbook_id}`);
    }
    // The answer to a new playbook is the playbook.
    const shown = answers.filter(({ status }) => status !== 201);

    expect(reports.length).toBeGreaterThanOrEqual(skipSshd ? 6 : 7);
    expect(shown.flatMap(({ text }) => leaksIn('answer', text, all()))).toEqual([]);
    expect(shown.map(({ text }) => text).join()).toContain('***');
  });

  test('in what reporters, cases and the manual integration were told', async () => {
    await until(
      async () => receiver.received.filter(({ body }) => body.includes('"execution-ended"')).length,
      (count) => count >= (skipSshd ? 6 : 7),
    );
    await until(
      async () => cases.cases.filter(({ status }) => status !== 'New').length,
      (count) => count >= (skipSshd ? 6 : 7),
    );
    const told = [...receiver.received.map((message) => JSON.stringify(message)), ...cases.bodies];

    expect(told.flatMap((text) => leaksIn('reporter', text, all()))).toEqual([]);
    expect(told.join()).toContain('***');
  });

  test('in the databases and the log, once the service has stopped', async () => {
    await service.stop();
    const store = join(service.dataDirectory, 'theobroma.db');
    const files = filesBelow(service.dataDirectory);

    const rows = [...tablesOf(store, asSubmitted)];
    const inStore = rows.flatMap(([table, text]) => leaksIn(table, text, all()));
    const inLog = leaksIn('log', service.lines.join('\n'), all());
    const inFiles = [...files].flatMap(([path, bytes]) => {
      // Bytes of the store hold what was submitted; its rows are looked through above.
      const names = path.startsWith(store) ? [...referred, ...settings] : undefined;
      const secrets = names === undefined ? all() : [...secretsOf(names), sshPassword];
      return leaksIn(path, bytes, secrets);
    });
    const referredInTables = [...tablesOf(store)].flatMap(([table, text]) =>
      leaksIn(table, text, [...secretsOf(referred), sshPassword]),
    );

    const whereSubmitted = [...tablesOf(store)].filter(
      ([table, text]) => leaksIn(table, text, secretsOf(submitted)).length > 0,
    );

    expect(inStore).toEqual([]);
    expect(whereSubmitted.map(([table]) => table).toSorted()).toEqual(asSubmitted.toSorted());
    expect(inLog).toEqual([]);
    expect(inFiles).toEqual([]);
    expect(referredInTables).toEqual([]);
    expect(rows.map(([table]) => table)).toEqual(
      expect.arrayContaining(['steps', 'walks', 'runs']),
    );
    expect([...files.keys()].length).toBeGreaterThanOrEqual(2);
    expect(service.lines.length).toBeGreaterThan(20);
  });
});
