/** The examples for hosts, Windows and Caldera, executed by the product against peers on the loopback. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  API_KEY,
  type CalderaPeer,
  LASTING_ABILITY,
  startCalderaPeer,
} from '../peers/caldera/caldera-peer.ts';
import { type Sshd, skipSshd, startSshd } from '../peers/sshd/start-sshd.ts';
import { startWinRmPeer, type WinRmPeer } from '../peers/winrm/winrm-peer.ts';
import { type Client, clientOf } from '../support/client.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let ask: Client;
let caldera: CalderaPeer;
let windows: WinRmPeer;

beforeAll(async () => {
  const output = Buffer.from('alice').toString('base64');
  caldera = await startCalderaPeer({ links: [{ id: 'l1', paw: 'a1', status: 0, output }] });
  windows = await startWinRmPeer({
    schemes: ['Negotiate'],
    accounts: { responder: 'correct horse 1' },
    run: () => ({ stdout: [Buffer.from('4711\r\n')] }),
  });
  service = await startService({
    environment: {
      CALDERA_HOST: `http://127.0.0.1:${caldera.port}`,
      CALDERA_API_KEY: API_KEY,
    },
  });
  ask = clientOf(service.url);
});
afterAll(async () => {
  await service.dispose();
  await Promise.all([caldera.stop(), windows.stop()]);
});

/** Values by variable name, all of them text. */
async function run(name: string, values: { readonly [variable: string]: string }) {
  const path = join(import.meta.dirname, `../../examples/${name}.json`);
  const playbook = JSON.parse(readFileSync(path, 'utf8'));
  await ask('POST', '/playbook', { body: playbook });
  const variables = Object.entries(values).map(([variable, value]) => [
    variable,
    { type: 'string', value },
  ]);
  const { json } = await ask('POST', `/trigger/playbook/${playbook.id}`, {
    body: Object.fromEntries(variables),
  });
  const report = (await ask('GET', `/reporter/${json['execution-id']}`)).json;
  const [step] = Object.values<{ variables: object; error?: string }>(report.step_results);
  return { report, step };
}

describe.skipIf(skipSshd)('collect-over-ssh', () => {
  let host: Sshd;
  beforeAll(async () => {
    host = await startSshd();
  });
  afterAll(() => host.stop());

  test('lists the processes of the host without showing the password', async () => {
    const { report, step } = await run('collect-over-ssh', {
      __host__: '127.0.0.1',
      __port__: String(host.port),
      __user__: host.username,
      __password__: host.password,
    });

    expect(report.errors).toEqual([]);
    expect(report.status).toBe('successfully_executed');
    expect(step?.variables).toMatchObject({
      __svc_ssh_result__: { value: expect.stringContaining('sshd') },
    });
    expect(JSON.stringify(report)).not.toContain(host.password);
  });
});

test('stop-process stops the process and keeps its number', async () => {
  const { report, step } = await run('stop-process', {
    __host__: '127.0.0.1',
    __port__: String(windows.port),
    __user__: 'responder',
    __password__: 'correct horse 1',
  });

  expect(report.errors).toEqual([]);
  expect(step?.variables).toMatchObject({ __svc_powershell_result__: { value: '4711\r\n' } });
  expect(windows.service.started[0]?.script).toContain("Stop-Process -Name 'beacon'");
  expect(windows.protections).not.toContain('plain');
});

test('emulate-discovery runs the ability on the group', async () => {
  const { report, step } = await run('emulate-discovery', {
    __group__: 'red',
    __ability__: LASTING_ABILITY,
  });

  expect(report.errors).toEqual([]);
  expect([...caldera.operations.values()]).toMatchObject([{ group: 'red' }]);
  expect(step?.variables).toMatchObject({
    __svc_caldera_cmd_result__: { value: expect.stringContaining('"output":"alice"') },
  });
});

test('detonate-file says so when no fin has registered', async () => {
  const { report } = await run('detonate-file', {});

  expect(report.status).toBe('exception_condition_error');
  expect(report.errors[0]).toContain('There is no capability for the agent svc-fin-sandbox.');
});
