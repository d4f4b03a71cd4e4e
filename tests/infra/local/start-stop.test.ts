/** The host as a program: what it says, what it refuses, how it ends. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  eventually,
  failToStart,
  fixtureApp,
  removeTemporary,
  startHostProcess,
  temporaryApp,
  temporaryDirectory,
} from './host-process.ts';

afterAll(removeTemporary);

const showsEnvironment = (names: readonly string[]) => ({
  'package.json': '{"main":"app.js"}',
  'app.js': `
    const { app } = require('@azure/functions');
    const names = ${JSON.stringify(names)};
    const atLoad = Object.fromEntries(names.map((name) => [name, process.env[name]]));
    app.get('env', () => ({ jsonBody: atLoad }));`,
});

describe('the start', () => {
  test('is told in one line, without warnings', async () => {
    const host = await startHostProcess(fixtureApp('hooks-app'));
    await host.stop();

    expect(host.stdout().split('\n')[0]).toBe(`Theobroma listens on ${host.url}`);
    expect(host.log().filter(({ level }) => level === 'warning')).toEqual([]);
  });

  test('is refused when the port is taken', async () => {
    const other = createServer().listen(0);
    const address = other.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;

    const { code, stderr } = await failToStart(fixtureApp('hooks-app'), { PORT: String(port) });
    other.close();

    expect(code).toBe(1);
    expect(stderr).toBe(
      `Theobroma cannot start. Cannot listen on port ${port}: it is in use; is another instance running?\n`,
    );
  });

  test('is refused when another instance has the data directory', async () => {
    const first = await startHostProcess(fixtureApp('hooks-app'));

    const { code, stderr } = await failToStart(fixtureApp('hooks-app'), {
      DATA_DIR: first.dataDirectory,
    });
    await first.stop();

    expect(code).toBe(1);
    expect(stderr).toBe(
      `Theobroma cannot start. The data directory ${first.dataDirectory} cannot be used: another instance is using it.\n`,
    );
  });

  test('succeeds on the data directory of an instance that was killed', async () => {
    const first = await startHostProcess(fixtureApp('hooks-app'));
    first.signal('SIGKILL');
    await first.ended;

    const second = await startHostProcess(fixtureApp('hooks-app'), {
      DATA_DIR: first.dataDirectory,
    });

    expect(await second.stop()).toBe(0);
  });

  test('is refused for a bad setting, by its name', async () => {
    const { code, stderr } = await failToStart(fixtureApp('hooks-app'), { PORT: 'eighty' });

    expect(code).toBe(1);
    expect(stderr).toMatch(/PORT must be a whole number/);
  });
});

describe('settings', () => {
  test('come from the environment first, then .env, then local.settings.json', async () => {
    const names = ['FROM_PROCESS', 'FROM_DOTENV', 'FROM_FILE', 'AzureWebJobsStorage'];
    const directory = temporaryApp({
      ...showsEnvironment(names),
      '.env': 'FROM_PROCESS=dotenv\nFROM_DOTENV: dotenv\nnonsense\n',
      'local.settings.json': JSON.stringify({
        Values: {
          FROM_PROCESS: 'file',
          FROM_DOTENV: 'file',
          FROM_FILE: 'file',
          AzureWebJobsStorage: 'UseDevelopmentStorage=true',
        },
      }),
    });

    const host = await startHostProcess(directory, { FROM_PROCESS: 'process' });
    const environment = await (await fetch(`${host.url}/api/env`)).json();
    await host.stop();

    expect(environment).toEqual({
      FROM_PROCESS: 'process',
      FROM_DOTENV: 'dotenv',
      FROM_FILE: 'file',
      AzureWebJobsStorage: 'UseDevelopmentStorage=true',
    });
    expect(host.log()[0]).toMatchObject({ msg: 'settings.line_ignored', file: '.env', line: 3 });
  });

  test('of the platform are there before the app loads', async () => {
    const names = ['WEBSITE_HOSTNAME', 'THEOBROMA_HOST', 'NO_PROXY', 'no_proxy'];
    const host = await startHostProcess(temporaryApp(showsEnvironment(names)), {
      HTTP_PROXY: 'http://proxy.example:3128',
      NO_PROXY: 'intranet.example',
    });
    const environment = await (await fetch(`${host.url}/api/env`)).json();
    await host.stop();

    expect(environment).toEqual({
      WEBSITE_HOSTNAME: `localhost:${host.port}`,
      THEOBROMA_HOST: 'embedded',
      NO_PROXY: 'intranet.example,localhost,127.0.0.1',
      no_proxy: 'intranet.example,localhost,127.0.0.1',
    });
  });

  test('in production keep the call out of error answers', async () => {
    const host = await startHostProcess(fixtureApp('hooks-app'), { LOG_MODE: 'production' });
    const answer = await (await fetch(`${host.url}/nowhere`)).json();
    await host.stop();

    expect(answer).toEqual({ status: '404', message: 'There is nothing at /nowhere.' });
  });
});

describe('the stop', () => {
  test('lets a request in progress be answered and accepts no new one', async () => {
    const host = await startHostProcess(fixtureApp('http-app'));
    const post = (path: string) => fetch(`${host.url}/${path}`, { method: 'POST' });
    const waiting = post('wait');
    await eventually(async () => {
      const seen = (await (await fetch(`${host.url}/seen`)).json()) as { waiting: number };
      return seen.waiting === 1 ? true : undefined;
    });
    // Holds a connection of its own, made before the stop.
    const release = await fetch(`${host.url}/release`, { method: 'POST' });
    host.signal('SIGTERM');

    const answer = await waiting;
    const code = await host.ended;

    expect([release.status, answer.status, code]).toEqual([202, 200, 0]);
    await expect(fetch(`${host.url}/seen`)).rejects.toThrow();
  });

  test('does not wait for ever for a request that has no answer', async () => {
    const host = await startHostProcess(fixtureApp('http-app'), { SHUTDOWN_SECONDS: '0' });
    const waiting = fetch(`${host.url}/wait`, { method: 'POST' }).catch(() => 'cut off');
    await eventually(async () => {
      const seen = (await (await fetch(`${host.url}/seen`)).json()) as { waiting: number };
      return seen.waiting === 1 ? true : undefined;
    });

    expect(await host.stop()).toBe(0);
    expect(await waiting).toBe('cut off');
  });

  test('on a second signal is immediate', async () => {
    const host = await startHostProcess(fixtureApp('http-app'));
    const waiting = fetch(`${host.url}/wait`, { method: 'POST' }).catch(() => 'cut off');
    await eventually(async () => {
      const seen = (await (await fetch(`${host.url}/seen`)).json()) as { waiting: number };
      return seen.waiting === 1 ? true : undefined;
    });
    host.signal('SIGINT');
    await eventually(async () => host.log().find(({ msg }) => msg === 'host.stopping'));

    host.signal('SIGINT');

    expect(await host.ended).toBe(1);
    expect(await waiting).toBe('cut off');
  });
});

describe('with TLS', () => {
  const selfSigned = () => {
    const directory = temporaryDirectory();
    const [certFile, keyFile] = [join(directory, 'tls.crt'), join(directory, 'tls.key')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const key = [
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-keyout',
      keyFile,
    ];
    const options = ['req', '-x509', '-days', '1', ...subject, ...key, '-out', certFile];
    execFileSync('openssl', options, { stdio: 'ignore' });
    return { ENABLE_TLS: 'true', CERT_FILE: certFile, CERT_KEY_FILE: keyFile };
  };

  const ask = async (url: string, ca: Buffer, maxVersion: 'TLSv1.1' | 'TLSv1.3') =>
    await new Promise<Record<string, unknown>>((resolve, reject) => {
      const outgoing = request(url, { ca, maxVersion, minVersion: 'TLSv1' }, (answer) => {
        void answer.toArray().then((chunks) => {
          const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
          resolve({ ...answer.headers, body });
        }, reject);
      });
      outgoing.once('error', reject).end();
    });

  test('answers over TLS 1.2 and later only, and says so to browsers', async () => {
    const tls = selfSigned();
    const ca = readFileSync(tls.CERT_FILE);
    const host = await startHostProcess(fixtureApp('http-app'), tls);
    const answer = await ask(`${host.url}/echo/1`, ca, 'TLSv1.3');
    const old = ask(`${host.url}/echo/1`, ca, 'TLSv1.1');

    expect(host.url).toMatch(/^https:/);
    expect(answer['body']).toMatchObject({ url: `${host.url}/echo/1` });
    expect(answer['strict-transport-security']).toBe('max-age=86400');
    await expect(old).rejects.toThrow();
    await host.stop();
  });

  test('a missing file stops the start and is named', async () => {
    const { code, stderr } = await failToStart(fixtureApp('http-app'), {
      ENABLE_TLS: 'true',
      CERT_FILE: '/no/such/server.crt',
    });

    expect(code).toBe(1);
    expect(stderr).toBe(
      'Theobroma cannot start. The TLS certificate file /no/such/server.crt (CERT_FILE) cannot be read.\n',
    );
  });

  test('a key that does not belong to the certificate stops the start', async () => {
    const tls = { ...selfSigned(), CERT_KEY_FILE: selfSigned().CERT_KEY_FILE };

    const { stderr } = await failToStart(fixtureApp('http-app'), tls);

    expect(stderr).toMatch(
      /^Theobroma cannot start\. The certificate .* cannot be used: .*mismatch/,
    );
  });
});
