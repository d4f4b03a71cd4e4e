/** Many executions at once. */

import { clientOf } from '../../support/client.ts';
import { startService } from '../../support/service.ts';
import { elapsedMs, type Part, percentile } from '../figure.ts';
import { aChain } from '../playbooks.ts';
import { startNoOpTarget } from '../start-target.ts';

const EXECUTIONS = 300;
const STEPS = 10;
const ROUNDS = 3;

export const burst: Part = {
  name: 'burst',
  says:
    `${EXECUTIONS} executions of ${STEPS} HTTP steps, all triggered at the same moment; every caller waits ` +
    `for the end of its own. Best of ${ROUNDS} rounds. The calls of the HTTP target are included.`,
  async run() {
    const target = await startNoOpTarget();
    const service = await startService({ environment: { MAX_EXECUTIONS: '100000' } });
    try {
      const ask = clientOf(service.url);
      const playbook = aChain(STEPS, target.url);
      await ask('POST', '/playbook', { body: playbook });
      const trigger = async () => {
        const { json } = await ask('POST', `/trigger/playbook/${playbook['id']}`);
        if (json.status !== 'successfully_executed') throw new Error(JSON.stringify(json));
      };
      for (let warm = 0; warm < 50; warm += 1) await trigger();
      const rounds: { readonly allMs: number; readonly each: readonly number[] }[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const each: number[] = [];
        const one = async () => void each.push(await elapsedMs(trigger));
        const allMs = await elapsedMs(() => Promise.all(Array.from({ length: EXECUTIONS }, one)));
        rounds.push({ allMs, each });
      }
      const [best] = rounds.toSorted((left, right) => left.allMs - right.allMs);
      const { allMs, each } = best ?? { allMs: Number.NaN, each: [] };
      return [
        { what: 'until all have ended', value: allMs, unit: 'ms' },
        { what: 'per step', value: allMs / (EXECUTIONS * STEPS), unit: 'ms' },
        { what: 'until an execution has ended, p50', value: percentile(each, 0.5), unit: 'ms' },
        { what: 'until an execution has ended, p99', value: percentile(each, 0.99), unit: 'ms' },
      ];
    } finally {
      await service.dispose();
      target.stop();
    }
  },
};
