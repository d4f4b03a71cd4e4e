/** From an environment to the configuration: the only way to get one. */

import { accessConfig, accessVariables } from './access-settings.ts';
import { capabilityConfig, capabilityVariables } from './capability-settings.ts';
import type { Config } from './config.ts';
import { ConfigError } from './config-error.ts';
import { executionConfig, executionVariables } from './execution-settings.ts';
import { finConfig, finVariables } from './fin-settings.ts';
import { variableGroups } from './groups.ts';
import { httpConfig, httpVariables } from './http-settings.ts';
import { logConfig, logVariables, telemetryConfig } from './log-settings.ts';
import { Notes } from './notes.ts';
import { egressConfig, outgoingVariables, secretConfig } from './outgoing-settings.ts';
import { type Environment, readValues } from './read-values.ts';
import { reportingConfig, reportingVariables } from './reporting-settings.ts';
import { signatureConfig, signatureVariables } from './signature-settings.ts';
import { passwordInUri, storeConfig, storeVariables } from './store-settings.ts';

const settingNames = new Set(variableGroups.flatMap(({ variables }) => Object.keys(variables)));

/** Refuses with a ConfigError that names all variables that are wrong. What it returns is frozen. */
export function readConfig(environment: Environment): Config {
  const notes = new Notes();
  const onAzure = isAzureInstance(environment);
  const store = readValues(storeVariables, environment, notes);
  const execution = readValues(executionVariables, environment, notes);
  const log = readValues(logVariables, environment, notes);
  const outgoing = readValues(outgoingVariables, environment, notes);
  const secretReferences = secretConfig(outgoing, environment, settingNames);
  const config = {
    http: httpConfig(readValues(httpVariables, environment, notes), onAzure, notes),
    store: storeConfig(store, onAzure, notes),
    execution: executionConfig(execution),
    validation: { schemaUrl: execution.VALIDATION_SCHEMA_URL },
    signatures: signatureConfig(readValues(signatureVariables, environment, notes), notes),
    capabilities: capabilityConfig(
      readValues(capabilityVariables, environment, notes),
      store.DATA_DIR,
      notes,
    ),
    fins: finConfig(readValues(finVariables, environment, notes), notes),
    reporting: reportingConfig(readValues(reportingVariables, environment, notes), notes),
    egress: egressConfig(outgoing),
    secretReferences,
    access: accessConfig(readValues(accessVariables, environment, notes), notes),
    log: logConfig(log),
    telemetry: telemetryConfig(log),
    secrets: [...secretsIn(environment), ...Object.values(secretReferences.environment)],
    warnings: notes.warnings,
  } satisfies Config;
  if (notes.problems.length > 0) throw new ConfigError(notes.problems);
  return deepFreeze(config);
}

// The embedded host marks its process; everything else that carries a sign of the platform is an
// instance that may vanish with its disk. Core Tools on a developer's machine carries none.
function isAzureInstance(environment: Environment): boolean {
  if (environment['THEOBROMA_HOST'] === 'embedded') return false;
  const signs = ['WEBSITE_INSTANCE_ID', 'WEBSITE_POD_NAME', 'CONTAINER_NAME', 'CONTAINER_APP_NAME'];
  return signs.some((sign) => (environment[sign] ?? '') !== '');
}

function secretsIn(environment: Environment): readonly string[] {
  const names = variableGroups.flatMap(({ variables }) =>
    Object.keys(variables).filter((name) => variables[name]?.secret),
  );
  const values = [...names.map((name) => environment[name]?.trim()), ...uriPasswords(environment)];
  return values.flatMap((value) => (value === undefined || value === '' ? [] : [value]));
}

// A URI spells its password percent-encoded; drivers and their errors may spell it either way.
function uriPasswords(environment: Environment): readonly string[] {
  const password = passwordInUri(environment['DB_URI'] ?? '');
  if (password === undefined) return [];
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
