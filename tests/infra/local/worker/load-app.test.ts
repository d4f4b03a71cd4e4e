/** How an app is found and loaded: `main` of package.json, file kinds, and what stops the start. */

import { afterAll, describe, expect, test } from 'vitest';
import {
  failToStart,
  fixtureApp,
  removeTemporary,
  startHostProcess,
  temporaryApp,
} from '../host-process.ts';

afterAll(removeTemporary);

const registers = (name: string) =>
  `require('@azure/functions').app.http('${name}', { handler: () => ({ body: '${name}' }) });`;
const registersAsModule = (name: string) =>
  `import { app } from '@azure/functions'; app.http('${name}', { handler: () => ({ body: '${name}' }) });`;

async function answersOf(
  files: Readonly<Record<string, string>>,
  names: readonly string[],
): Promise<readonly string[]> {
  const host = await startHostProcess(temporaryApp(files));
  const answers = await Promise.all(
    names.map(async (name) => (await fetch(`${host.url}/api/${name}`)).text()),
  );
  await host.stop();
  return answers;
}

describe('an app', () => {
  test('of CommonJS and ES modules is loaded file by file, each by its kind', async () => {
    const answers = await answersOf(
      {
        'package.json': '{"main":"dist/{index.js,functions/*.*js}"}',
        'dist/index.js': registers('one'),
        'dist/functions/a.cjs': registers('two'),
        'dist/functions/b.mjs': registersAsModule('three'),
        'dist/functions/c.js': registersAsModule('four'),
        'dist/functions/package.json': '{"type":"module"}',
      },
      ['one', 'two', 'three', 'four'],
    );

    expect(answers).toEqual(['one', 'two', 'three', 'four']);
  });

  test('of type module may be a single file', async () => {
    const files = {
      'package.json': '{"type":"module","main":"./app.js"}',
      'app.js': registersAsModule('one'),
    };

    expect(await answersOf(files, ['one'])).toEqual(['one']);
  });
});

describe('the start is refused', () => {
  const http = "const { app } = require('@azure/functions');";

  test.each([
    ['without package.json', {}, /There is no package\.json in /],
    ['without an entry', { 'package.json': '{}' }, /package\.json names no entry file/],
    [
      'when nothing matches the entry',
      { 'package.json': '{"main":"dist/*.js"}' },
      /No file matches "main" of package\.json \(dist\/\*\.js\)\./,
    ],
    [
      'when an entry file throws',
      { 'package.json': '{"main":"app.js"}', 'app.js': 'throw new Error("no luck")' },
      /The entry file app\.js failed: no luck/,
    ],
    [
      'when no function is registered',
      { 'package.json': '{"main":"app.js"}', 'app.js': '' },
      /The app registered no function/,
    ],
    [
      'when two functions have one name',
      {
        'package.json': '{"main":"app.js"}',
        'app.js': `${http} app.get('a', () => ({})); app.get('A', () => ({}));`,
      },
      /A function named "A" is registered already\./,
    ],
    [
      'when a copy of the library did not find the host',
      {
        'package.json': '{"main":"app.js"}',
        'app.js': `
          const { Module } = require('node:module');
          const answered = Module.prototype.require;
          Module.prototype.require = function (id) {
            if (id === '@azure/functions-core') throw new Error('not bundled');
            return answered.call(this, id);
          };
          ${http} app.get('a', () => ({}));`,
      },
      /The library @azure\/functions did not find this host/,
    ],
    [
      'when a start hook throws',
      {
        'package.json': '{"main":"app.js"}',
        'app.js': `${http} app.get('a', () => ({})); app.hook.appStart(() => { throw new Error('hooked'); });`,
      },
      /hooked/,
    ],
    [
      'when a route is not usable',
      {
        'package.json': '{"main":"app.js"}',
        'app.js': `${http} app.http('a', { route: '{id', handler: () => ({}) });`,
      },
      /The route of function "a" \(api\/\{id\) is not usable/,
    ],
    [
      'when a schedule is not usable',
      {
        'package.json': '{"main":"app.js"}',
        'app.js': `${http} app.timer('a', { schedule: 'daily', handler: () => {} });`,
      },
      /The schedule of function "a" is not usable/,
    ],
  ])('%s', async (_when, files, message) => {
    const { code, stdout, stderr } = await failToStart(temporaryApp(files));

    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^Theobroma cannot start\. /m);
    expect(stderr).toMatch(message);
  });

  test('with the stack of a bug in the app, and without one for errors meant for people', async () => {
    const app = (text: string) =>
      temporaryApp({ 'package.json': '{"main":"app.js"}', 'app.js': text });
    const bug = await failToStart(app('undefined.x'));
    const meant = await failToStart(
      app(
        `class ConfigError extends Error { name = 'ConfigError' } throw new ConfigError('PORT is odd')`,
      ),
    );

    expect(bug.stderr).toMatch(/TypeError: .*\n +at /);
    expect(meant.stderr).toBe(
      'Theobroma cannot start. The entry file app.js failed: PORT is odd\n',
    );
  });
});

test('triggers and inputs of other services are left out with a warning', async () => {
  const files = {
    'package.json': '{"main":"app.js"}',
    'app.js': `
      const { app, input } = require('@azure/functions');
      app.storageQueue('queue', { queueName: 'q', connection: 'C', handler: () => {} });
      const blob = input.storageBlob({ path: 'p', connection: 'C' });
      app.http('read', {
        extraInputs: [blob],
        handler: (_request, context) => ({ body: String(context.extraInputs.get(blob)) }),
      });`,
  };
  const host = await startHostProcess(temporaryApp(files));
  const body = await (await fetch(`${host.url}/api/read`)).text();
  await host.stop();

  expect(body).toBe('undefined');
  expect(host.log().map(({ msg, function: fn }) => [msg, fn])).toEqual([
    ['function.unserved', 'queue'],
    ['input.unserved', 'read'],
    ['host.stopping', undefined],
  ]);
});

test('an app that needs nothing durable makes no durable database', async () => {
  const { existsSync } = await import('node:fs');
  const host = await startHostProcess(fixtureApp('hooks-app'));
  await host.stop();

  expect(existsSync(`${host.dataDirectory}/host.db`)).toBe(true);
  expect(existsSync(`${host.dataDirectory}/durable.db`)).toBe(false);
});
