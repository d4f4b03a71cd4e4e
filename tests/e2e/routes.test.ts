/** What holds for every route: forms of the address, methods, errors, CORS, the API browser. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, clientOf } from '../support/client.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let ask: Client;

beforeAll(async () => {
  service = await startService({
    environment: { SVC_ALLOWED_ORIGINS: 'https://console.example, https://other.example' },
  });
  ask = clientOf(service.url);
});
afterAll(() => service.dispose());

const collections = ['/playbook', '/playbook/meta', '/reporter', '/manual', '/status', '/step'];

test.each(collections)('%s answers with and without a trailing slash', async (path) => {
  const without = await ask('GET', path);
  const with_ = await ask('GET', `${path}/`);

  expect([without.status, with_.status]).toEqual([200, 200]);
  expect(without.headers.get('content-type')).toBe('application/json; charset=utf-8');
});

test('HEAD answers like GET without a body', async () => {
  const answer = await ask('HEAD', '/playbook');

  expect([answer.status, answer.text]).toEqual([200, '']);
});

test('OPTIONS names the methods of a path', async () => {
  const answer = await ask('OPTIONS', '/playbook');

  expect(answer.status).toBe(204);
  expect(answer.headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS');
});

describe('errors are the general error object', () => {
  test.each([
    ['GET', '/nowhere', 404],
    ['POST', '/nowhere/at/all', 404],
    ['GET', '/', 404],
    ['PATCH', '/playbook', 405],
    ['DELETE', '/reporter', 405],
    ['GET', '/trigger/playbook', 405],
    ['PUT', '/manual/continue', 405],
    ['GET', '/reporter/not-a-uuid', 400],
    ['GET', '/reporter/5f0c2c3e-6a0b-4a55-9d6b-0a3f6f8d1c01', 404],
    ['GET', '/manual/5f0c2c3e-6a0b-4a55-9d6b-0a3f6f8d1c01/action--x', 404],
    ['GET', '/manual/not-a-uuid/action--x', 400],
    ['GET', '/swagger/secret.txt', 404],
    ['GET', '/swagger/..%2f..%2fpackage.json', 404],
    ['GET', '/%E0%A4%A', 400],
    ['GET', '/playbook/%zz', 400],
  ])('%s %s is %i', async (method, path, status) => {
    const answer = await ask(method, path);

    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject({
      status: String(status),
      message: expect.stringMatching(/\w/),
    });
  });

  test('405 names the methods that are served', async () => {
    expect((await ask('PATCH', '/playbook')).headers.get('allow')).toContain('POST');
  });
});

describe('cross-origin requests', () => {
  const preflight = (origin: string) =>
    ask('OPTIONS', '/trigger/playbook', {
      headers: { origin, 'access-control-request-method': 'POST' },
    });

  test('an allowed origin may send tokens and preferences', async () => {
    const answer = await preflight('https://other.example');

    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://other.example');
    expect(answer.headers.get('access-control-allow-headers')).toContain('Authorization');
    expect(answer.headers.get('access-control-allow-headers')).toContain('Prefer');
  });

  test('the preflight of another origin is refused', async () => {
    expect((await preflight('https://evil.example')).status).toBe(403);
  });

  test('a simple request of another origin is served without CORS headers', async () => {
    const headers = { origin: 'https://evil.example' };
    const answer = await ask('GET', '/playbook', { headers });

    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe(null);
  });

  test('an allowed origin may also read errors', async () => {
    const headers = { origin: 'https://console.example' };
    const answer = await ask('GET', '/nowhere', { headers });

    expect(answer.headers.get('access-control-allow-origin')).toBe('https://console.example');
  });
});

describe('the API browser', () => {
  test('is served with its files', async () => {
    const index = await ask('GET', '/swagger/index.html');
    const files = [...index.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file);

    expect(index.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(files).toHaveLength(4);
    for (const file of files) {
      expect((await ask('GET', `/swagger/${file}`)).status).toBe(200);
    }
  });

  test.each(['/swagger', '/swagger/'])('%s leads to its page', async (path) => {
    const answer = await ask('GET', path);

    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/swagger/index.html']);
  });

  test('shows a document whose references all lead somewhere', async () => {
    const { json: document, text } = await ask('GET', '/swagger/doc.json');

    const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)];
    const schemas = Object.keys(document.components.schemas);
    expect(document.openapi).toBe('3.1.0');
    expect(schemas).toContain('Playbook');
    for (const [, name] of references) expect(schemas).toContain(name);
  });

  test('documents every contract endpoint', async () => {
    const { json: document } = await ask('GET', '/swagger/doc.json');

    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(operations).toEqual(
      expect.arrayContaining([
        'GET /playbook',
        'GET /playbook/meta',
        'POST /playbook',
        'GET /playbook/{playbookId}',
        'PUT /playbook/{playbookId}',
        'DELETE /playbook/{playbookId}',
        'POST /trigger/playbook/{playbookId}',
        'POST /trigger/playbook',
        'GET /status',
        'GET /status/ping',
        'GET /status/fins',
        'GET /status/reporters',
        'GET /status/playbook',
        'GET /status/playbook/{playbookId}',
        'GET /status/history',
        'GET /step',
        'GET /reporter/{executionId}',
        'GET /manual',
        'GET /manual/{executionId}/{stepId}',
        'POST /manual/continue',
      ]),
    );
  });
});

describe('the status of the service', () => {
  test('tells version, runtime, mode and uptime', async () => {
    const { json } = await ask('GET', '/status');

    expect(json).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      runtime: expect.stringMatching(/^(docker|windows|linux|macos|other)$/),
      mode: 'development',
      time: expect.stringMatching(/Z$/),
      uptime: { since: expect.stringMatching(/Z$/), milis: expect.any(Number) },
    });
  });

  test('ping answers exactly pong', async () => {
    const answer = await ask('GET', '/status/ping');

    expect([answer.status, answer.text]).toEqual([200, 'pong']);
    expect(answer.headers.get('content-type')).toBe('text/plain');
  });

  test('lists fins, reporters, executions and the step catalogue', async () => {
    expect((await ask('GET', '/status/fins')).json).toEqual({ fins: [] });
    expect((await ask('GET', '/status/reporters')).json.reporters[0]).toEqual({ name: 'cache' });
    expect((await ask('GET', '/status/playbook')).json).toEqual([]);
    expect((await ask('GET', '/status/history')).json).toEqual([]);
    expect((await ask('GET', '/step')).json.steps.length).toBeGreaterThan(0);
  });
});
