/** What the embedded host itself is told by the environment, as typed values. */

import { isAbsolute, resolve } from 'node:path';
import { type LogLevel, logLevels } from '../../../core/ports/log.ts';
import { StartError } from '../start-error.ts';
import type { Environment } from './environment.ts';

export type HostSettings = {
  readonly port: number;
  /** Undefined means every address of the machine. */
  readonly address: string | undefined;
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
  /** Larger requests are refused by the host; the app may have a smaller limit of its own. */
  readonly maxBodyBytes: number;
  /** Keys for functions that ask for one; the master key opens `admin` functions too. */
  readonly functionKeys: readonly string[];
  readonly masterKey: string | undefined;
  /** In production, error answers do not repeat the call. */
  readonly showCalls: boolean;
  readonly dataDirectory: string;
  readonly logLevel: LogLevel;
  readonly shutdownMs: number;
  readonly durable: DurableSettings;
};

/** How the embedded durable engine runs; the last three are for tests. */
export type DurableSettings = {
  readonly synchronous: 'NORMAL' | 'FULL';
  readonly route: 'json' | 'live';
  readonly checkReplay: boolean;
  readonly dropCaches: boolean;
  readonly shuffleSeed: number | undefined;
};

// The app answers 413 itself at its own limit; the host only stops what is far beyond it.
const bodySlackBytes = 1024 * 1024;

/** Throws a StartError that names the variable whose value cannot be used. */
export function readHostSettings(environment: Environment, directory: string): HostSettings {
  const read = (name: string) => {
    const text = environment[name]?.trim();
    return text === '' ? undefined : text;
  };
  return {
    port: wholeNumber('PORT', read('PORT') ?? '8080', 65_535),
    address: read('LISTEN_ADDRESS'),
    tls: flag('ENABLE_TLS', read('ENABLE_TLS'))
      ? {
          certFile: read('CERT_FILE') ?? '/certs/server.crt',
          keyFile: read('CERT_KEY_FILE') ?? '/certs/server.key',
        }
      : undefined,
    maxBodyBytes:
      wholeNumber('MAX_BODY_BYTES', read('MAX_BODY_BYTES') ?? '10485760') + bodySlackBytes,
    functionKeys: (read('FUNCTION_KEYS') ?? '')
      .split(',')
      .map((key) => key.trim())
      .filter(Boolean),
    masterKey: read('MASTER_KEY'),
    showCalls: read('LOG_MODE')?.toLowerCase() !== 'production',
    dataDirectory: toAbsolute(read('DATA_DIR') ?? './data', directory),
    logLevel: logLevel(read('LOG_GLOBAL_LEVEL')),
    shutdownMs: wholeNumber('SHUTDOWN_SECONDS', read('SHUTDOWN_SECONDS') ?? '10', 3600) * 1000,
    durable: {
      synchronous: oneOf('DURABLE_SYNCHRONOUS', read('DURABLE_SYNCHRONOUS'), ['NORMAL', 'FULL']),
      route: oneOf('DURABLE_ROUTE', read('DURABLE_ROUTE'), ['live', 'json']),
      checkReplay: flag('DURABLE_CHECK_REPLAY', read('DURABLE_CHECK_REPLAY')),
      dropCaches: flag('DURABLE_DROP_CACHES', read('DURABLE_DROP_CACHES')),
      shuffleSeed: optionalNumber('DURABLE_SHUFFLE_SEED', read('DURABLE_SHUFFLE_SEED')),
    },
  };
}

function flag(name: string, text: string | undefined): boolean {
  if (text === undefined) return false;
  if (/^(1|t|true|y|yes|on)$/i.test(text)) return true;
  if (/^(0|f|false|n|no|off)$/i.test(text)) return false;
  throw new StartError(`${name} must be true or false, not "${text}".`);
}

function wholeNumber(name: string, text: string, most = Number.MAX_SAFE_INTEGER): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= most) return value;
  throw new StartError(`${name} must be a whole number from 0 to ${most}, not "${text}".`);
}

function optionalNumber(name: string, text: string | undefined): number | undefined {
  return text === undefined ? undefined : wholeNumber(name, text);
}

/** The first choice is the default. */
function oneOf<const Choice extends string>(
  name: string,
  text: string | undefined,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  if (text === undefined) return choices[0];
  const found = choices.find((choice) => choice.toLowerCase() === text.toLowerCase());
  if (found !== undefined) return found;
  throw new StartError(`${name} must be one of ${choices.join(', ')}, not "${text}".`);
}

// The product warns about a level it does not know and goes on with this one.
function logLevel(text: string | undefined): LogLevel {
  return logLevels.find((level) => level === text?.toLowerCase()) ?? 'info';
}

function toAbsolute(path: string, directory: string): string {
  return isAbsolute(path) ? path : resolve(directory, path);
}
