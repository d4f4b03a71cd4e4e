/** The SDK's own client against the management API, over a loopback server as the host makes one. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { DurableClient, DurableClientInput } from 'durable-functions';
import { expect, onTestFinished, test } from 'vitest';
import { createDurableHost } from '../../../../../infra/local/durable/create-durable-host.ts';
import type { DurableHost } from '../../../../../infra/local/durable/durable-host.ts';
import { appCaller } from '../fixture/functions-app.ts';
import { defaultOptions } from '../fixture/host-defaults.ts';
import '../fixture/orchestrations.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordingLog } from '../fixture/recording-log.ts';

const require = createRequire(import.meta.url);

test('start, status, event, terminate, list and purge work through the client of the SDK', async () => {
  const client = await aClient();

  const id = await client.startNew('waitFor', {
    instanceId: 'by-client',
    input: { names: ['go'] },
  });
  await client.raiseEvent(id, 'go', { answer: 42 });
  const ended = await client.waitForCompletionOrCreateCheckStatusResponse(
    { url: 'http://front.example/api' } as never,
    id,
    { timeoutInMilliseconds: 5000, retryIntervalInMilliseconds: 5 },
  );
  const endless = await client.startNew('waitFor', { input: { names: ['never'] } });
  await client.terminate(endless, 'bored');
  const links = client.createHttpManagementPayload(id);

  expect(id).toBe('by-client');
  expect(await ended.json()).toEqual([{ answer: 42 }]);
  expect((await client.getStatus(id)).output).toEqual([{ answer: 42 }]);
  expect(links['statusQueryGetUri']).toContain('/instances/by-client?taskHub=TestHub');
  await expect.poll(async () => (await client.getStatus(endless)).runtimeStatus).toBe('Terminated');
  expect(await client.getStatusAll()).toHaveLength(2);
  expect(await client.purgeInstanceHistory(id)).toEqual({ instancesDeleted: 1 });
  await expect(client.getStatus(id)).rejects.toThrow('HTTP 404');
});

test('a start without input reaches the code as an empty string', async () => {
  const client = await aClient();

  const id = await client.startNew('waitFor');

  expect((await client.getStatus(id)).input).toBe('');
});

/** Starts the engine behind a loopback server and makes a client from its binding text. */
async function aClient(): Promise<DurableClient> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const address = {
    rpcBaseUrl: `${base}/secret/`,
    webhookBaseUrl: `${base}/hooks`,
    webhookCode: 'key',
  };
  const folder = mkdtempSync(join(tmpdir(), 'durable-'));
  const options = { ...defaultOptions, databasePath: join(folder, 'durable.db') };
  const host = createDurableHost(() => address, options, { now: Date.now, log: recordingLog() });
  serve(server, host);
  await host.start(appCaller());
  onTestFinished(async () => {
    await host.stop(0);
    server.close();
    rmSync(folder, { recursive: true });
  });
  const {
    DurableClient: Client,
  } = require('durable-functions/lib/src/durableClient/DurableClient');
  return new Client(JSON.parse(host.clientBinding()) as DurableClientInput);
}

function serve(server: ReturnType<typeof createServer>, host: DurableHost): void {
  server.on('request', async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://host');
    const answer = await host.manage({
      method: request.method ?? 'GET',
      path: url.pathname.replace('/secret/', ''),
      query: url.searchParams,
      contentType: request.headers['content-type'],
      body: await text(request),
    });
    response.writeHead(answer.status, {
      ...answer.headers,
      ...(answer.body !== undefined && { 'content-type': 'application/json' }),
    });
    response.end(answer.body === undefined ? '' : JSON.stringify(answer.body));
  });
}
