/** The only place, with the folder beside it, that chooses adapters. */

import { limitRefusals } from '../core/access/limit-refusals.ts';
import type { Access } from '../core/access/permissions.ts';
import { RateLimiter } from '../core/access/rate-limiter.ts';
import type { Config } from '../core/config/config.ts';
import { redactor } from '../core/execution/redaction.ts';
import { runFacts } from '../core/execution/run-facts.ts';
import type { Workbench } from '../core/execution/workbench.ts';
import type { FinGateway } from '../core/fins/fin-gateway.ts';
import type { KeyStore } from '../core/ports/key-store.ts';
import type { Log, SecurityLog } from '../core/ports/log.ts';
import type { Stores } from '../core/ports/stores.ts';
import { createEgressPolicy } from '../infra/egress/egress-policy.ts';
import { createAccess } from '../infra/identity/create-access.ts';
import { createLogging, type Logging } from '../infra/logging/create-logging.ts';
import { type ServiceInfo, serviceInfo } from '../infra/process/service-info.ts';
import { swaggerFile } from '../infra/process/swagger-files.ts';
import { systemClock } from '../infra/process/system-clock.ts';
import { openStores } from '../infra/stores/open-stores.ts';
import { startTelemetry } from '../infra/telemetry/start-telemetry.ts';
import { openCapabilities } from './composition/open-capabilities.ts';
import { openTelling } from './composition/open-telling.ts';
import { openWorkbench } from './composition/open-workbench.ts';

export type Composition = {
  readonly config: Config;
  readonly stores: Stores;
  readonly bench: Workbench;
  readonly access: Access;
  readonly rateLimiter: RateLimiter;
  /** Undefined while key management is off. */
  readonly keys: KeyStore | undefined;
  /** Of the HTTP layer; the playbook endpoints have one with a level of its own. */
  readonly log: Log;
  readonly playbookLog: Log;
  readonly securityLog: SecurityLog;
  readonly service: ServiceInfo;
  readonly reporterNames: readonly string[];
  /** A configured part that does not answer, if any. */
  firstPartAway(): Promise<PartAway | undefined>;
  /** Undefined while fins are off. */
  readonly fins: FinGateway | undefined;
  staticFile(name: string): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
};

/** `cause` is for the log. */
export type PartAway = { readonly name: string; readonly cause: unknown };

/** Functions are registered before the parts they need have been opened. */
export type Ready = () => Promise<Composition>;

/** Rejects when a configured part cannot be opened; the start of the service then fails with it. */
export async function compose(config: Config): Promise<Composition> {
  const logging = await openLogging(config);
  const { log } = logging;
  const securityLog = limitRefusals(logging.security, systemClock);
  const stores = await openStores(config.store);
  const allows = createEgressPolicy(config.egress);
  const { table, keys, fins } = await openCapabilities(config, {
    finStore: stores.fins,
    allows,
    log,
    securityLog,
  });
  const { told, ...telling } = await openTelling(config, allows, (id) => runFacts(bench, id), log);
  const bench: Workbench = await openWorkbench(config, {
    stores,
    capabilities: table,
    told,
    log,
    securityLog,
  });
  return {
    config,
    stores,
    bench,
    access: await createAccess(config.access, { clock: systemClock, log: log.child('access') }),
    rateLimiter: new RateLimiter(config.http.rateLimitPerMinute, systemClock),
    keys,
    log: log.child('http', config.http.frameworkMode === 'debug' ? 'debug' : undefined),
    playbookLog: log.child('playbook-api', config.log.playbookApiLevel),
    securityLog,
    service: serviceInfo(),
    reporterNames: telling.reporterNames,
    firstPartAway: async () =>
      (await awayIf('the store', stores.ping())) ??
      (fins && (await awayIf('the message broker', fins.ping()))),
    fins,
    staticFile: swaggerFile,
    async close() {
      await fins?.close();
      await telling.close();
      await stores.close();
      await logging.close();
    },
  };
}

async function openLogging(config: Config): Promise<Logging> {
  const logging = createLogging(config.log, { redact: redactor(config.secrets) });
  const { log } = logging;
  // For those who rotate the file; without one, the signal keeps its usual meaning.
  if (config.log.filePath !== undefined) process.on('SIGHUP', logging.reopen);
  for (const { variable, text } of config.warnings) {
    log.warning('config.doubtful', { variable, text });
  }
  if (config.telemetry !== undefined) {
    await startTelemetry(config.telemetry.connectionString, log.child('telemetry'));
  }
  return logging;
}

function awayIf(name: string, ping: Promise<void>): Promise<PartAway | undefined> {
  return ping.then(
    () => undefined,
    (cause: unknown) => ({ name, cause }),
  );
}
