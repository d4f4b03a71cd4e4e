/** The only place that chooses adapters and reads the configuration. */

import type { Access } from '../core/access/permissions.ts';
import { openAccess } from '../core/access/permissions.ts';
import { viewPlaybook } from '../core/cacao/playbook.ts';
import { validatePlaybook } from '../core/cacao/validation/validate-playbook.ts';
import type { CapabilityConfig, Config } from '../core/config/config.ts';
import { guards } from '../core/engine/plan.ts';
import { CapabilityTable } from '../core/execution/capability-table.ts';
import { PinnedRuns } from '../core/execution/pinned.ts';
import type { PlaybookCheck } from '../core/execution/playbook-check.ts';
import { redactor } from '../core/execution/redaction.ts';
import type { Workbench } from '../core/execution/workbench.ts';
import type { FinGateway } from '../core/fins/fin-gateway.ts';
import type { JsonObject } from '../core/json.ts';
import type { KeyStore } from '../core/ports/key-store.ts';
import type { Log, SecurityLog } from '../core/ports/log.ts';
import type { Reporter, RunEvent } from '../core/ports/reporter.ts';
import type { Stores } from '../core/ports/stores.ts';
import type { EgressPolicy } from '../infra/capabilities/addressing/egress.ts';
import { nativeCapabilities } from '../infra/capabilities/native-capabilities.ts';
import { createEgressPolicy } from '../infra/egress/egress-policy.ts';
import { FileKeyStore } from '../infra/keys/file-key-store.ts';
import { createLogging } from '../infra/logging/create-logging.ts';
import { LocalRunSignals } from '../infra/process/local-run-signals.ts';
import { PolledCancellations } from '../infra/process/polled-cancellations.ts';
import { type ServiceInfo, serviceInfo } from '../infra/process/service-info.ts';
import { swaggerFile } from '../infra/process/swagger-files.ts';
import { randomIds, systemClock } from '../infra/process/system-clock.ts';
import { createSecretVault } from '../infra/secrets/create-secret-vault.ts';
import { openStores } from '../infra/stores/open-stores.ts';
import { startTelemetry } from '../infra/telemetry/start-telemetry.ts';
import {
  type CustomSchemaSource,
  openCustomSchema,
} from '../infra/validation/custom-schema-source.ts';

export type Composition = {
  readonly config: Config;
  readonly stores: Stores;
  readonly bench: Workbench;
  readonly access: Access;
  /** Undefined while key management is off. */
  readonly keys: KeyStore | undefined;
  /** Of the HTTP layer; the playbook endpoints have one with a level of its own. */
  readonly log: Log;
  readonly playbookLog: Log;
  readonly securityLog: SecurityLog;
  readonly service: ServiceInfo;
  readonly reporterNames: readonly string[];
  /** The name of a configured part that does not answer, if any. */
  firstPartAway(): Promise<string | undefined>;
  /** Undefined while fins are off. */
  readonly fins: FinGateway | undefined;
  staticFile(name: string): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
};

/** Functions are registered before the parts they need have been opened. */
export type Ready = () => Promise<Composition>;

/** Rejects when a configured part cannot be opened; the start of the service then fails with it. */
export async function compose(config: Config): Promise<Composition> {
  const { log, security, ...logging } = createLogging(config.log, {
    redact: redactor(config.secrets),
  });
  // For those who rotate the file; without one, the signal keeps its usual meaning.
  if (config.log.filePath !== undefined) process.on('SIGHUP', logging.reopen);
  for (const { variable, text } of config.warnings)
    log.warning('config.doubtful', { variable, text });
  if (config.telemetry !== undefined) {
    await startTelemetry(config.telemetry.connectionString, log.child('telemetry'));
  }
  const stores = await openStores(config.store);
  const keys = openKeyStore(config.capabilities);
  const allows = createEgressPolicy(config.egress);
  const fins = await openFinGateway(config, stores, log, security);
  const capabilities = openCapabilities(config.capabilities, keys, allows, fins, log);
  const { schemaUrl } = config.validation;
  const customSchema =
    schemaUrl === undefined
      ? undefined
      : await openCustomSchema(schemaUrl, { clock: systemClock, log: log.child('validation') });
  const reporters: readonly Reporter[] = [];
  const bench = workbench(config, {
    stores,
    capabilities,
    customSchema,
    reporters,
    log,
    securityLog: security,
  });
  return {
    config,
    stores,
    bench,
    access: openAccess,
    keys,
    log: log.child('http', config.http.frameworkMode === 'debug' ? 'debug' : undefined),
    playbookLog: log.child('playbook-api', config.log.playbookApiLevel),
    securityLog: security,
    service: serviceInfo(),
    reporterNames: ['cache', 'store'],
    firstPartAway: async () => {
      if (await fails(stores.ping())) return 'the store';
      return fins !== undefined && (await fails(fins.ping())) ? 'the message broker' : undefined;
    },
    fins,
    staticFile: swaggerFile,
    async close() {
      await fins?.close();
      await stores.close();
      await logging.close();
    },
  };
}

type Parts = {
  readonly stores: Stores;
  readonly capabilities: CapabilityTable;
  readonly customSchema: CustomSchemaSource | undefined;
  readonly reporters: readonly Reporter[];
  readonly log: Log;
  readonly securityLog: SecurityLog;
};

function workbench(config: Config, parts: Parts): Workbench {
  const { stores, capabilities, customSchema, reporters, log, securityLog } = parts;
  return {
    stores,
    pinned: new PinnedRuns(stores.runs),
    check: playbookCheck(capabilities, customSchema),
    capabilities,
    vault: createSecretVault({ config: config.secretReferences, clock: systemClock }),
    cancellations: new PolledCancellations(stores.runs),
    signals: new LocalRunSignals(),
    clock: systemClock,
    ids: randomIds,
    log: log.child('execution'),
    securityLog,
    report: (event) => tell(reporters, event),
    parallel: config.execution.parallelBranches,
    limits: {
      stepTimeoutMs: config.execution.stepTimeoutMs,
      manualTimeoutMs: MANUAL_TIMEOUT_MS,
      loopTurns: config.execution.maxLoopIterations,
      movesPerTurn: guards.movesPerTurn,
      playbookDepth: config.execution.maxPlaybookDepth,
    },
  };
}

/** Spec, Manual capability: ten minutes when the step names no timeout. */
const MANUAL_TIMEOUT_MS = 600_000;

function playbookCheck(
  capabilities: CapabilityTable,
  source: CustomSchemaSource | undefined,
): PlaybookCheck {
  const options = { knownCapabilities: capabilities.names, agentPrefixes: capabilities.prefixes };
  return (document) => {
    const custom = source === undefined ? {} : { customSchema: source.current() };
    const { valid, findings } = validatePlaybook(document, { ...options, ...custom });
    if (!valid) return { ok: false, findings };
    return { ok: true, playbook: viewPlaybook(document as JsonObject), findings };
  };
}

function openCapabilities(
  config: CapabilityConfig,
  keys: KeyStore | undefined,
  allows: EgressPolicy,
  fins: FinGateway | undefined,
  log: Log,
): CapabilityTable {
  const native = nativeCapabilities({
    config,
    keys,
    allows,
    clock: systemClock,
    log: log.child('capability'),
  });
  return new CapabilityTable(native, config.agentPrefixes, fins?.directory);
}

/** Undefined while fins are off. */
async function openFinGateway(
  { fins, capabilities: { agentPrefixes } }: Config,
  { fins: store }: Stores,
  log: Log,
  securityLog: SecurityLog,
): Promise<FinGateway | undefined> {
  if (fins === undefined) return undefined;
  const { openFins } = await import('../infra/fins/open-fins.ts');
  return openFins(fins, {
    store,
    clock: systemClock,
    ids: randomIds,
    log: log.child('fins'),
    securityLog,
    agentPrefixes,
  });
}

function fails(promise: Promise<void>): Promise<boolean> {
  return promise.then(
    () => false,
    () => true,
  );
}

/** Undefined while key management is off. */
function openKeyStore({ ssh }: CapabilityConfig): KeyStore | undefined {
  return ssh.keys && new FileKeyStore({ ...ssh.keys, clock: systemClock });
}

function tell(reporters: readonly Reporter[], event: RunEvent): void {
  for (const reporter of reporters) reporter.report(event);
}
