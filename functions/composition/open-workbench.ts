/** What every turn of an execution works with. */

import { viewPlaybook } from '../../core/cacao/playbook.ts';
import { validatePlaybook } from '../../core/cacao/validation/validate-playbook.ts';
import type { Config } from '../../core/config/config.ts';
import { guards } from '../../core/engine/plan.ts';
import type { CapabilityTable } from '../../core/execution/capability-table.ts';
import { PinnedRuns } from '../../core/execution/pinned.ts';
import type { PlaybookCheck } from '../../core/execution/playbook-check.ts';
import type { Workbench } from '../../core/execution/workbench.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Log, SecurityLog } from '../../core/ports/log.ts';
import type { Stores } from '../../core/ports/stores.ts';
import { LocalRunSignals } from '../../infra/process/local-run-signals.ts';
import { PolledCancellations } from '../../infra/process/polled-cancellations.ts';
import { randomIds, systemClock } from '../../infra/process/system-clock.ts';
import { createSecretVault } from '../../infra/secrets/create-secret-vault.ts';
import { openSignatureCheck } from '../../infra/signatures/open-signature-check.ts';
import {
  type CustomSchemaSource,
  openCustomSchema,
} from '../../infra/validation/custom-schema-source.ts';

export type WorkbenchParts = {
  readonly stores: Stores;
  readonly capabilities: CapabilityTable;
  readonly told: Pick<Workbench, 'report' | 'manual' | 'prepare'>;
  readonly log: Log;
  readonly securityLog: SecurityLog;
};

/** Rejects when a configured validation schema cannot be had. */
export async function openWorkbench(config: Config, parts: WorkbenchParts): Promise<Workbench> {
  const { stores, capabilities, told, log, securityLog } = parts;
  const { schemaUrl } = config.validation;
  const customSchema =
    schemaUrl === undefined
      ? undefined
      : await openCustomSchema(schemaUrl, { clock: systemClock, log: log.child('validation') });
  const signed = await openSignatureCheck(config.signatures, {
    clock: systemClock,
    log: log.child('signatures'),
  });
  return {
    stores,
    pinned: new PinnedRuns(stores.runs),
    check: signed(playbookCheck(capabilities, customSchema)),
    capabilities,
    vault: createSecretVault({ config: config.secretReferences, clock: systemClock }),
    cancellations: new PolledCancellations(stores.runs),
    signals: new LocalRunSignals(),
    clock: systemClock,
    ids: randomIds,
    log: log.child('execution'),
    securityLog,
    ...told,
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
