import { execFileSync } from 'node:child_process';
import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Mosquitto,
  skipMosquitto,
  startMosquitto,
} from '../../peers/mosquitto/start-mosquitto.ts';
import { aConnectedGateway, aGateway } from '../../support/a-gateway.ts';

const credentials = { username: 'theobroma', password: 'secret' };

let broker: Mosquitto;
let directory: string;

beforeAll(async () => {
  if (skipMosquitto) return;
  directory = mkdtempSync(join(tmpdir(), 'broker-tls-'));
  const key = join(directory, 'key.pem');
  const cert = join(directory, 'cert.pem');
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', [...request, '-out', cert, ...names], { stdio: 'ignore' });
  broker = await startMosquitto({
    files: {
      'key.pem': readFileSync(key, 'utf8'),
      'cert.pem': readFileSync(cert, 'utf8'),
      passwords: passwordLine(credentials),
    },
    settings: [
      'allow_anonymous false',
      'password_file $DIR/passwords',
      'keyfile $DIR/key.pem',
      'certfile $DIR/cert.pem',
    ],
  });
});
afterAll(async () => {
  await broker?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** A line of Mosquitto's password file: PBKDF2 with SHA-512, 101 rounds. */
function passwordLine({ username, password }: typeof credentials): string {
  const salt = randomBytes(12);
  const hash = pbkdf2Sync(password, salt, 101, 64, 'sha512');
  return `${username}:$7$101$${salt.toString('base64')}$${hash.toString('base64')}\n`;
}

const trusting = () => ({ caFile: join(directory, 'cert.pem') });

describe.skipIf(skipMosquitto)('a broker behind TLS that wants credentials', () => {
  test.each(['5', '3.1.1'] as const)('is reached with both, over MQTT %s', async (version) => {
    const tls = trusting();

    await aConnectedGateway({ port: broker.port, broker: 'localhost', tls, credentials, version });
  });

  test.each([
    ['a wrong password', { credentials: { username: 'theobroma', password: 'wrong' } }],
    ['no credentials', { credentials: undefined }],
    ['a certificate nobody vouches for', { tls: { caFile: undefined } }],
    ['another name than the certificate has', { broker: '127.0.0.1' }],
    ['no TLS', { tls: undefined }],
  ])('is away with %s', async (_, more) => {
    const secured = { port: broker.port, broker: 'localhost', tls: trusting(), credentials };

    const gateway = await aGateway({ ...secured, ...more });

    await expect(gateway.ping()).rejects.toMatchObject({ code: 'broker-away' });
  });

  test('cannot be trusted by a file that is not there: the start says so', async () => {
    const tls = { caFile: join(directory, 'missing.pem') };

    await expect(aGateway({ port: broker.port, tls })).rejects.toThrow('missing.pem');
  });
});
