/** The Orchestrations port over the durable client of one invocation. */

import { type DurableClient, OrchestrationRuntimeStatus } from 'durable-functions';
import { wakeEvent } from '../core/engine/wake-event.ts';
import type { ExecutionId } from '../core/execution/ids.ts';
import { mainWalk } from '../core/execution/ids.ts';
import { instanceIdOf } from '../core/execution/turn/order.ts';
import type { Orchestrations } from '../core/ports/orchestrations.ts';
import { executionName } from './orchestrators/names.ts';

const active: ReadonlySet<OrchestrationRuntimeStatus> = new Set([
  OrchestrationRuntimeStatus.Running,
  OrchestrationRuntimeStatus.Pending,
  OrchestrationRuntimeStatus.ContinuedAsNew,
  OrchestrationRuntimeStatus.Suspended,
]);

const ended = [
  OrchestrationRuntimeStatus.Completed,
  OrchestrationRuntimeStatus.Failed,
  OrchestrationRuntimeStatus.Terminated,
];

/** The management API insists on a beginning. */
const beforeAll = new Date('2020-01-01T00:00:00Z');

export function durableOrchestrations(client: DurableClient): Orchestrations {
  return {
    async start(id) {
      const input = { execution: id, walk: mainWalk, turn: 0 };
      try {
        await client.startNew(executionName, { instanceId: id, input });
      } catch (error) {
        if (!(await isActive(client, id))) throw error;
      }
    },
    async wake(id, walkId, turn) {
      const instanceId = instanceIdOf(id, walkId);
      // Nobody waits (404), or the walk has ended (410): then there is nothing to wake.
      await client.raiseEvent(instanceId, wakeEvent(turn), null).catch(() => {});
    },
    async forgetEnded(begunBeforeMs) {
      await client.purgeInstanceHistoryBy({
        createdTimeFrom: beforeAll,
        createdTimeTo: new Date(begunBeforeMs),
        runtimeStatus: [...ended],
      });
    },
  };
}

async function isActive(client: DurableClient, id: ExecutionId): Promise<boolean> {
  const status = await client.getStatus(id).catch(() => undefined);
  return status !== undefined && active.has(status.runtimeStatus);
}
