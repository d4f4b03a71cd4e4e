/** Everything a turn of a walk works with; assembled once by the composition root. */

import type { Plan } from '../engine/plan.ts';
import type { Cancellations } from '../ports/cancellations.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { Log, SecurityLog } from '../ports/log.ts';
import type { ManualIntegration } from '../ports/manual-integration.ts';
import type { RunEvent } from '../ports/reporter.ts';
import type { RunPreparation } from '../ports/run-preparation.ts';
import type { RunSignals } from '../ports/run-signals.ts';
import type { SecretVault } from '../ports/secret-vault.ts';
import type { Stores } from '../ports/stores.ts';
import type { CapabilityTable } from './capability-table.ts';
import type { PinnedRuns } from './pinned.ts';
import type { PlaybookCheck } from './playbook-check.ts';

export type Workbench = {
  readonly stores: Stores;
  readonly pinned: PinnedRuns;
  readonly check: PlaybookCheck;
  readonly capabilities: CapabilityTable;
  /** Absent: playbooks may not refer to secrets. */
  readonly vault?: SecretVault;
  readonly cancellations: Cancellations;
  readonly signals: RunSignals;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly securityLog: SecurityLog;
  /** Tells the downstream reporters; never throws, never waits. */
  readonly report: (event: RunEvent) => void;
  /** Told of manual commands beside the users of the API. */
  readonly manual?: ManualIntegration;
  /** Gives a triggered execution more to begin with. */
  readonly prepare?: RunPreparation;
  /** How branches of parallel steps run. */
  readonly parallel: Plan['parallel'];
  readonly limits: Limits;
};

export type Limits = {
  /** For action steps without a timeout of their own. */
  readonly stepTimeoutMs: number;
  /** For manual steps without a timeout of their own (spec: 10 minutes). */
  readonly manualTimeoutMs: number;
  readonly loopTurns: number;
  /** Moves over control steps within one turn before others get theirs. */
  readonly movesPerTurn: number;
  /** How deep playbook actions may nest. */
  readonly playbookDepth: number;
};
