/** Lists of destinations, as an operator sets them. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { action, aPlaybook, end, idOf, start, targetIds } from '../support/a-playbook.ts';
import { clientOf } from '../support/client.ts';
import { type HttpTarget, startHttpTarget } from '../support/http-target.ts';
import { startService } from '../support/service.ts';

let target: HttpTarget;
beforeAll(async () => {
  target = await startHttpTarget(({ url }) =>
    url.startsWith('/away')
      ? { status: 302, headers: { Location: `${target.url}/elsewhere` } }
      : {},
  );
});
afterAll(() => target.close());

async function stepAt(environment: Record<string, string>, address: string, path = '/look') {
  const service = await startService({ environment });
  const commands = [{ type: 'http-api', command: `GET ${path} HTTP/1.1` }];
  const playbook = aPlaybook(
    'outgoing',
    { start: start('look'), look: action('end', { commands }), end },
    {
      target_definitions: {
        [targetIds.box]: { type: 'http-api', name: 'box', address: { url: [address] } },
      },
    },
  );
  const ask = clientOf(service.url);
  const { json } = await ask('POST', '/trigger/playbook', { body: playbook });
  const report = (await ask('GET', `/reporter/${json['execution-id']}`)).json;
  await service.dispose();
  return report.step_results[idOf('action', 'look')];
}

test('a denied destination gets no connection, by address or by name', async () => {
  const environment = { EGRESS_DENY: '127.0.0.0/8, ::1' };

  const byAddress = await stepAt(environment, target.url);
  const byName = await stepAt(environment, `http://localhost:${target.port}`);

  for (const step of [byAddress, byName]) {
    expect(step.status).toBe('client_side_error');
    expect(step.error).toContain('connections to it are not allowed');
  }
  expect(target.received).toEqual([]);
});

test('where clouds serve their metadata nobody gets without a word of the operator', async () => {
  const step = await stepAt({}, 'http://169.254.169.254/metadata');

  expect(step).toMatchObject({ status: 'client_side_error' });
  expect(step.error).toContain('connections to it are not allowed');
});

test('an allowed destination is reached, and a redirect leads nowhere', async () => {
  const environment = { EGRESS_ALLOW: '127.0.0.1' };

  const step = await stepAt(environment, target.url);
  const redirected = await stepAt(environment, target.url, '/away');

  expect(step.status).toBe('successfully_executed');
  expect(redirected.status).toBe('failed');
  expect(target.received.map(({ url }) => url)).toEqual(['/look', '/away']);
});
