import { expect, test } from 'vitest';
import '../fixture/orchestrations.ts';
import { aHost } from '../fixture/test-host.ts';

const megabyte = 1024 * 1024;
const tooLarge = 'x'.repeat(megabyte);
const large = 'x'.repeat(46 * 1024);

test('a custom status of 16 KB in UTF-16 is the largest there may be', async () => {
  const host = await aHost();
  const fits = 'x'.repeat(8190);

  const id = await host.begin('status', { status: fits });
  const over = await host.run('status', { status: `${fits}x` });

  const shown = await host.until(id, ({ customStatus }) => customStatus !== null);
  expect(shown.customStatus).toBe(fits);
  expect(over.runtimeStatus).toBe('Failed');
  expect(over.output).toContain('The custom status has 16386 bytes in UTF-16');
});

test('inputs and events over a megabyte are refused at the door', async () => {
  const host = await aHost();
  const id = await host.begin('waitFor', { names: ['go'] });

  const start = await host.send('POST', 'orchestrators/waitFor', { tooLarge });
  const event = await host.raise(id, 'go', tooLarge);

  expect([start.status, event.status]).toEqual([413, 413]);
});

test('an activity result over a megabyte is a failed activity', async () => {
  const host = await aHost();

  const { output } = await host.run('callCaught', { name: 'large', input: megabyte });

  expect((output as { caught: string }).caught).toContain('The result has 1048578 bytes');
});

test('an output over a megabyte fails the instance', async () => {
  const host = await aHost();

  const status = await host.run('largeOutput', { size: megabyte });

  expect(status.runtimeStatus).toBe('Failed');
  expect(status.output).toContain('The output has 1048578 bytes; the limit is 1048576.');
});

test('payloads over 45 KB pass, with a warning that names the payload', async () => {
  const host = await aHost();

  const result = await host.run('call', { name: 'large', input: large.length });
  const input = await host.run('call', { name: 'echo', input: large });
  const id = await host.begin('waitFor', { names: ['go'] });
  await host.raise(id, 'go', large);
  await host.end(id);

  expect([result.output, input.output]).toEqual([large, large]);
  const warned = host.log.lines.filter(({ event }) => event === 'durable.large_payload');
  expect(warned.map(({ fields }) => fields['what'])).toEqual([
    'activity result',
    'output',
    'input',
    'input of activity echo',
    'activity result',
    'output',
    'event',
    'output',
  ]);
});
