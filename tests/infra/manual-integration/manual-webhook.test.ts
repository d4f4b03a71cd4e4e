/** The manual integration against a real HTTP receiver. */

import { afterEach, expect, test } from 'vitest';
import type { PlaybookId, StepId } from '../../../core/cacao/ids.ts';
import { type ExecutionId, mainWalk } from '../../../core/execution/ids.ts';
import type { ManualCommand } from '../../../core/execution/manual-command.ts';
import { manualEventWire } from '../../../functions/http/wire/manual-event.ts';
import { createManualWebhook } from '../../../infra/manual-integration/create-manual-webhook.ts';
import { type HttpPeer, startHttpPeer, valuesOf } from '../../peers/http/http-peer.ts';
import { aLog } from '../reporters/a-log.ts';

const peers: HttpPeer[] = [];
afterEach(async () => {
  for (const peer of peers.splice(0)) await peer.close();
});

const command: ManualCommand = {
  executionId: '11111111-1111-4111-8111-111111111111' as ExecutionId,
  stepId: 'action--1' as StepId,
  playbookId: 'playbook--1' as PlaybookId,
  walkId: mainWalk,
  turn: 3,
  description: 'Look at the host',
  command: 'Look and tell',
  commandIsBase64: false,
  targets: {},
  outArgs: { __verdict__: { type: 'string' } },
  openedMs: 0,
  deadlineMs: Date.UTC(2026, 0, 2),
  state: { kind: 'pending' },
};

async function aWebhook(status: number) {
  const { log, logged } = aLog();
  const peer = await startHttpPeer(() => ({ status }));
  peers.push(peer);
  const webhook = createManualWebhook({
    config: { url: `http://127.0.0.1:${peer.port}/ask`, secret: 'shared' },
    allows: () => true,
    render: manualEventWire,
    clock: { now: () => 1_000 },
    ids: { uuid: () => 'delivery' },
    log,
    sleep: async () => {},
  });
  return { webhook, peer, logged };
}

test('a command is announced as the API shows it, and its end afterwards', async () => {
  const { webhook, peer, logged } = await aWebhook(200);

  webhook.opened(command);
  webhook.closed(command, 'expired');
  await webhook.close();

  expect(peer.requests.map(({ body }) => JSON.parse(body.toString()))).toEqual([
    {
      event: 'manual-opened',
      expires: '2026-01-02T00:00:00.000Z',
      type: 'manual-step-information',
      execution_id: command.executionId,
      playbook_id: 'playbook--1',
      step_id: 'action--1',
      description: 'Look at the host',
      command: 'Look and tell',
      command_is_base64: false,
      targets: {},
      out_args: {
        __verdict__: {
          type: 'string',
          name: '__verdict__',
          description: '',
          value: '',
          constant: false,
          external: false,
        },
      },
    },
    {
      event: 'manual-closed',
      ending: 'expired',
      execution_id: command.executionId,
      playbook_id: 'playbook--1',
      step_id: 'action--1',
    },
  ]);
  for (const request of peer.requests) {
    expect(valuesOf(request, 'x-theobroma-signature')[0]).toMatch(/^t=1,v1=[0-9a-f]{64}$/);
  }
  expect(logged).toEqual([]);
});

test('a receiver that refuses is only logged', async () => {
  const { webhook, logged } = await aWebhook(400);

  webhook.opened(command);
  await webhook.close();

  expect(logged.map(({ event, fields }) => [event, fields?.['event'], fields?.['stepId']])).toEqual(
    [['reporter.delivery-failed', 'manual-opened', 'action--1']],
  );
});
