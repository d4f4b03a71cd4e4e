/** Reads host.json, the settings a Functions app brings for its host; the parts this host follows. */

import { join } from 'node:path';
import { StartError } from '../start-error.ts';
import type { Environment } from './environment.ts';
import { readIfThere } from './read-if-there.ts';

export type HostJson = {
  /** Put before every route; empty means none. Without slashes at its ends. */
  readonly routePrefix: string;
  /** Set on every answer of an HTTP function; names in lower case. */
  readonly customHeaders: Readonly<Record<string, string>>;
  /** Value of Strict-Transport-Security, sent over TLS only. */
  readonly strictTransportSecurity: string | undefined;
  readonly durable: {
    readonly hubName: string;
    readonly defaultVersion: string | undefined;
    readonly maxConcurrentActivities: number;
    readonly maxOrchestrationActions: number;
  };
};

/** An app without the file gets the defaults of the platform. Refuses as `parseHostJson` does. */
export function readHostJson(appDirectory: string, environment: Environment): HostJson {
  const text = readIfThere(join(appDirectory, 'host.json')) ?? '{ "version": "2.0" }';
  return parseHostJson(text, environment);
}

/** `%NAME%` stands for a setting. Throws a StartError that names the place of a value it cannot use. */
export function parseHostJson(text: string, environment: Environment): HostJson {
  const root = new Section('host.json', parseJson(text), environment);
  if (root.text('version') !== '2.0') throw new StartError('host.json must say "version": "2.0".');
  const http = root.section('extensions').section('http');
  const durable = root.section('extensions').section('durableTask');
  return {
    routePrefix: (http.text('routePrefix') ?? 'api').replace(/^\/+|\/+$/g, ''),
    customHeaders: lowerCaseNames(http.section('customHeaders').texts()),
    strictTransportSecurity: strictTransportSecurity(http.section('hsts')),
    durable: {
      hubName: hubName(durable.text('hubName') ?? 'Theobroma'),
      defaultVersion: durable.text('defaultVersion'),
      maxConcurrentActivities: durable.positive('maxConcurrentActivityFunctions') ?? 10,
      maxOrchestrationActions: durable.positive('maxOrchestrationActions') ?? 100_000,
    },
  };
}

// So that a header of the same name set by a function takes its place.
function lowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function strictTransportSecurity(hsts: Section): string | undefined {
  if (!hsts.flag('isEnabled')) return undefined;
  const days = Number(/^(\d+)(?:\.|$)/.exec(hsts.text('maxAge') ?? '')?.[1] ?? 30);
  const parts = [`max-age=${days * 86_400}`];
  if (hsts.flag('includeSubDomains')) parts.push('includeSubDomains');
  if (hsts.flag('preload')) parts.push('preload');
  return parts.join('; ');
}

function hubName(name: string): string {
  if (/^[A-Za-z][A-Za-z0-9]{2,44}$/.test(name)) return name;
  throw new StartError(
    `extensions.durableTask.hubName in host.json must be 3 to 45 letters and digits, not "${name}".`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new StartError('host.json is not valid JSON.', { cause });
  }
}

/** One object of the file. A part that is absent reads as an empty object. */
class Section {
  readonly #place: string;
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #environment: Environment;

  constructor(place: string, value: unknown, environment: Environment) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new StartError(`${place} must be an object.`);
    }
    this.#place = place;
    this.#values = value as Readonly<Record<string, unknown>>;
    this.#environment = environment;
  }

  section(name: string): Section {
    return new Section(`${this.#place} ${name}`, this.#values[name] ?? {}, this.#environment);
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'string') throw this.#unusable(name, 'a text');
    return value.replace(/%([^%]+)%/g, (_all, setting: string) => {
      const found = this.#environment[setting];
      if (found === undefined)
        throw this.#unusable(name, `resolved: there is no setting ${setting}`);
      return found;
    });
  }

  texts(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      Object.keys(this.#values).map((name) => [name, this.text(name) ?? '']),
    );
  }

  flag(name: string): boolean {
    const value = this.#values[name] ?? false;
    if (typeof value !== 'boolean') throw this.#unusable(name, 'true or false');
    return value;
  }

  positive(name: string): number | undefined {
    const value = this.#values[name];
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value;
    throw this.#unusable(name, 'a whole number above 0');
  }

  #unusable(name: string, expected: string): StartError {
    return new StartError(`${this.#place} ${name} must be ${expected}.`);
  }
}
