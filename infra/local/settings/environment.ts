/**
 * The environment of this process. On Azure the platform prepares it before the app starts; here the
 * embedded host plays the platform, so this file, and no other of the host, reads and writes
 * `process.env`.
 */

import { join } from 'node:path';
import { parseAppSettings } from './app-settings.ts';
import { parseEnvFile } from './env-file.ts';
import { readIfThere } from './read-if-there.ts';

export type Environment = { readonly [name: string]: string | undefined };

export type PreparedEnvironment = {
  readonly environment: Environment;
  /** Lines of `.env` that were not understood, counted from 1. */
  readonly badLines: readonly number[];
};

/** Process environment first, then `.env`, then local.settings.json: what is set is never replaced. */
export function prepareEnvironment(directory: string): PreparedEnvironment {
  const envFile = parseEnvFile(readIfThere(join(directory, '.env')) ?? '');
  addMissing(envFile.values);
  const appSettings = readIfThere(join(directory, 'local.settings.json'));
  if (appSettings !== undefined) addMissing(parseAppSettings(appSettings));

  // The product asks which host it runs on only to refuse a store that would vanish on the other.
  process.env['THEOBROMA_HOST'] = 'embedded';
  process.env['AZURE_FUNCTIONS_ENVIRONMENT'] ??= 'Development';
  keepLoopbackDirect();
  return { environment: process.env, badLines: envFile.badLines };
}

/** Tells the durable client where it is; without this it rewrites every link to another port. */
export function announcePort(port: number): void {
  process.env['WEBSITE_HOSTNAME'] = `localhost:${port}`;
}

function addMissing(values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) process.env[name] ??= value;
}

// The durable client calls this host over the loopback; a proxy for the outside world cannot reach it.
function keepLoopbackDirect(): void {
  const usesProxy = ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'].some(
    (name) => (process.env[name] ?? '') !== '',
  );
  if (!usesProxy) return;
  const listed = process.env['no_proxy'] ?? process.env['NO_PROXY'] ?? '';
  const extended = [listed, 'localhost', '127.0.0.1'].filter((part) => part !== '').join(',');
  process.env['NO_PROXY'] = extended;
  process.env['no_proxy'] = extended;
}
