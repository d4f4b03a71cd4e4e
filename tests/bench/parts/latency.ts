/** How long a caller waits for a playbook of one step. */

import { clientOf } from '../../support/client.ts';
import { startService } from '../../support/service.ts';
import { elapsedMs, type Part, percentile } from '../figure.ts';
import { aChain } from '../playbooks.ts';
import { startNoOpTarget } from '../start-target.ts';

const CALLS = 500;
const ROUNDS = 3;

export const latency: Part = {
  name: 'latency',
  says:
    'From the request that triggers a stored playbook of one HTTP step to its answer, which says how the ' +
    `execution ended; its report is complete by then. ${CALLS} calls one after the other, best of ${ROUNDS} ` +
    'rounds. Includes the client, which runs on the same machine, and one call of the HTTP target.',
  async run() {
    const target = await startNoOpTarget();
    const service = await startService();
    try {
      const ask = clientOf(service.url);
      const playbook = aChain(1, target.url);
      await ask('POST', '/playbook', { body: playbook });
      const trigger = async () => {
        const { json } = await ask('POST', `/trigger/playbook/${playbook['id']}`);
        if (json.status !== 'successfully_executed') throw new Error(JSON.stringify(json));
      };
      for (let warm = 0; warm < CALLS; warm += 1) await trigger();
      const rounds: number[][] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const times: number[] = [];
        for (let call = 0; call < CALLS; call += 1) times.push(await elapsedMs(trigger));
        rounds.push(times);
      }
      const best = (share: number) => Math.min(...rounds.map((times) => percentile(times, share)));
      const pings: number[] = [];
      for (let call = 0; call < CALLS; call += 1) {
        pings.push(await elapsedMs(() => ask('GET', '/status/ping')));
      }
      return [
        {
          what: 'GET /status/ping, p50 (the client and the HTTP layer alone)',
          value: percentile(pings, 0.5),
          unit: 'ms',
        },
        { what: 'trigger to report, p50', value: best(0.5), unit: 'ms', target: 10 },
        { what: 'trigger to report, p99', value: best(0.99), unit: 'ms' },
      ];
    } finally {
      await service.dispose();
      target.stop();
    }
  },
};
