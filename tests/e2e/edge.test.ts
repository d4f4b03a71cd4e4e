/** The edge of the service: TLS that is renewed, a limit on how often callers ask. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { clientOf, until } from '../support/client.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service | undefined;
const directory = mkdtempSync(join(tmpdir(), 'theobroma-tls-'));
afterEach(async () => {
  await service?.dispose();
  rmSync(directory, { recursive: true, force: true });
});

function makeCertificate(name: string): void {
  const subject = ['-subj', `/CN=${name}`, '-days', '2', '-nodes'];
  const files = ['-keyout', 'server.key', '-out', 'server.crt'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  execFileSync('openssl', ['req', '-x509', ...key, ...files, ...subject], {
    cwd: directory,
    stdio: 'ignore',
  });
}

/** The common name of the certificate a new connection is shown. */
function servedName(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(
      { host: hostname, port: Number(port), rejectUnauthorized: false },
      () => {
        resolve(String(socket.getPeerCertificate().subject.CN));
        socket.destroy();
      },
    );
    socket.on('error', reject);
  });
}

test('a renewed certificate is served without a restart', async () => {
  makeCertificate('first.example');
  service = await startService({
    environment: {
      ENABLE_TLS: 'true',
      CERT_FILE: join(directory, 'server.crt'),
      CERT_KEY_FILE: join(directory, 'server.key'),
    },
  });
  const { url } = service;

  const before = await servedName(url);
  makeCertificate('second.example');

  expect(url).toMatch(/^https:/);
  expect(before).toBe('first.example');
  await until(
    () => servedName(url),
    (name) => name === 'second.example',
    15_000,
  );
});

test('RATE_LIMIT_PER_MINUTE answers 429 with Retry-After to whoever asks too often', async () => {
  service = await startService({ environment: { RATE_LIMIT_PER_MINUTE: '5' } });
  const ask = clientOf(service.url);

  const statuses: number[] = [];
  for (let count = 0; count < 6; count += 1) statuses.push((await ask('GET', '/status')).status);
  const refused = await ask('GET', '/status');

  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  expect(refused.json).toMatchObject({ status: '429' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});
