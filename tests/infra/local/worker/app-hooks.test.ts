/** The hooks of an app, over the real library in a real host. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  eventually,
  fixtureApp,
  type HostProcess,
  removeTemporary,
  startHostProcess,
} from '../host-process.ts';

let host: HostProcess;
beforeAll(async () => {
  host = await startHostProcess(fixtureApp('hooks-app'));
});
afterAll(async () => {
  await host.stop();
  removeTemporary();
});

const get = (path: string) => fetch(`${host.url}/api/${path}`);

describe('the hooks of an app', () => {
  test('before an invocation may change its inputs and its handler, and share data', async () => {
    const answer = await get('changed');

    expect(answer.headers.get('x-visited')).toBe('first');
    expect(answer.headers.get('x-args')).toBe('3');
    expect(await answer.text()).toBe('changed');
  });

  test('before an invocation may stop it', async () => {
    const answer = await get('blocked');

    expect(answer.status).toBe(500);
    expect(await answer.text()).toBe('');
  });

  test('after an invocation may turn an error into a result', async () => {
    const answer = await get('fails');

    expect(answer.status).toBe(299);
    expect(await answer.text()).toBe('healed');
  });

  test('at the start run once; the app may still register functions there, as on Azure', async () => {
    const events = (await (await get('events')).json()) as string[];

    expect(events.slice(0, 2)).toEqual(['appStart started', 'late registration accepted']);
    expect(events).toContain('error seen: Error: no');
  });

  test('for the log may change each line; a line after the end is reported', async () => {
    await get('logs');

    const lines = await eventually(async () => {
      const found = host.log().filter((line) => line['function'] === 'logs');
      return found.length >= 4 ? found : undefined;
    });
    const shown = lines.map(({ level, category, message }) => [level, category, message]);
    expect(shown.slice(0, 2)).toEqual([
      ['info', 'user', 'masked'],
      ['warning', 'user', 'relog'],
    ]);
    expect(shown[2]?.[1]).toBe('system');
    expect(shown[2]?.[2]).toMatch(/^Warning: Unexpected call to 'log'/);
    expect(shown[3]).toEqual(['info', 'user', 'too late']);
  });

  test('at the end run before the host exits with code 0', async () => {
    const ending = await startHostProcess(fixtureApp('hooks-app'));

    expect(await ending.stop()).toBe(0);
    expect(ending.stdout()).toContain('terminated, started: true');
  });
});
