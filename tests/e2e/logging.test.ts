/** What the service writes, and what it never does. */

import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aPlaybook, end, start } from '../support/a-playbook.ts';
import { clientOf, until } from '../support/client.ts';
import { startService } from '../support/service.ts';

const playbook = aPlaybook('logged', { start: start('end'), end });

async function logOf(environment: Record<string, string>): Promise<readonly string[]> {
  const service = await startService({ environment });
  const ask = clientOf(service.url);
  await ask('POST', '/playbook', { body: playbook });
  await ask('POST', `/trigger/playbook/${playbook['id']}`);
  await ask('GET', '/status');
  await service.stop();
  const lines = [...service.lines];
  await service.dispose();
  return lines;
}

const events = (lines: readonly string[]) =>
  lines.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line).msg] : []));

test('security events are written whatever the log level', async () => {
  const lines = await logOf({ LOG_MODE: 'production', LOG_GLOBAL_LEVEL: 'panic' });

  expect(events(lines)).toEqual(
    expect.arrayContaining(['playbook_created', 'execution_started', 'execution_ended']),
  );
});

test('in development the playbook endpoints have a log level of their own', async () => {
  const lines = await logOf({ LOG_GLOBAL_LEVEL: 'error' });

  const requests = lines.filter((line) => line.includes('http.request'));
  expect(requests.map((line) => JSON.parse(line).path)).toEqual(['/playbook']);
});

test('HTTP_FRAMEWORK_MODE=debug shows every request', async () => {
  const lines = await logOf({ HTTP_FRAMEWORK_MODE: 'debug' });

  const paths = lines
    .filter((line) => line.includes('http.request'))
    .map((l) => JSON.parse(l).path);
  expect(paths).toEqual(['/playbook', `/trigger/playbook/${playbook['id']}`, '/status']);
});

test('text is a format too, and a file that may be rotated a destination', async () => {
  const service = await startService();
  const path = join(service.dataDirectory, 'service.log');
  await service.stop();
  const again = await startService({
    dataDirectory: service.dataDirectory,
    environment: { LOG_FORMAT: 'TEXT', LOG_FILE_PATH: path },
  });
  await clientOf(again.url)('POST', '/playbook', { body: playbook });

  const text = await until(
    async () => readFileSync(path, 'utf8'),
    (content) => content.includes('playbook_created'),
  );
  expect(text).toMatch(/component=security/);

  renameSync(path, `${path}.1`);
  again.signal('SIGHUP');
  await until(
    async () => {
      await clientOf(again.url)('DELETE', `/playbook/${playbook['id']}`);
      await clientOf(again.url)('POST', '/playbook', { body: playbook });
      return existsSync(path) && readFileSync(path, 'utf8');
    },
    (content) => content !== false && content.includes('playbook_created'),
  );
  await again.dispose();
});

test.each([
  [{ AUTH_ENABLED: 'perhaps' }, 'AUTH_ENABLED'],
  [{ ENABLE_TLS: 'true', CERT_FILE: '/nowhere/server.crt' }, '/nowhere/server.crt'],
  [{ DB_URI: 'ftp://x', DATABASE: 'true' }, 'DB_URI'],
  [{ PORT: 'high' }, 'PORT'],
])('a start with %j is refused and names what is wrong', async (environment, name) => {
  await expect(startService({ environment })).rejects.toThrow(name);
});
