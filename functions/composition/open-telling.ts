/** Opens those who are told what happens: the reporters, and the manual integration. */

import type { Config } from '../../core/config/config.ts';
import type { Workbench } from '../../core/execution/workbench.ts';
import type { Log } from '../../core/ports/log.ts';
import type { RunLookup } from '../../core/ports/run-facts.ts';
import type { EgressPolicy } from '../../infra/capabilities/addressing/egress.ts';
import { randomIds, systemClock } from '../../infra/process/system-clock.ts';
import { manualEventWire } from '../http/wire/manual-event.ts';
import { toRunEventWire } from '../http/wire/run-event.ts';

export type Telling = {
  readonly reporterNames: readonly string[];
  /** For the workbench. */
  readonly told: Pick<Workbench, 'report' | 'manual' | 'prepare'>;
  close(): Promise<void>;
};

/** What only tells others is loaded only when there are others: it would cost every start its time. */
export async function openTelling(
  { reporting: config }: Config,
  allows: EgressPolicy,
  lookUp: RunLookup,
  parentLog: Log,
): Promise<Telling> {
  const { caseManagement, webhook, manualWebhook } = config;
  if ([caseManagement, webhook, manualWebhook].every((one) => one === undefined)) return nobodyElse;
  const [{ openReporting }, { createManualWebhook }] = await Promise.all([
    import('../../infra/reporters/open-reporting.ts'),
    import('../../infra/manual-integration/create-manual-webhook.ts'),
  ]);
  const log = parentLog.child('reporter');
  const common = { allows, clock: systemClock, ids: randomIds, log };
  const { names, report, prepare, close } = openReporting({
    ...common,
    config,
    lookUp,
    render: toRunEventWire,
  });
  const manual =
    manualWebhook &&
    createManualWebhook({ ...common, config: manualWebhook, render: manualEventWire });
  return {
    reporterNames: names,
    told: {
      report,
      ...(prepare === undefined ? {} : { prepare }),
      ...(manual === undefined ? {} : { manual }),
    },
    async close() {
      await Promise.all([close(), manual?.close()]);
    },
  };
}

const nobodyElse: Telling = {
  reporterNames: ['cache', 'store'],
  told: { report: () => {} },
  close: async () => {},
};
