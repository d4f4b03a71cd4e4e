/** A loop that turns ten thousand times. */

import { clientOf } from '../../support/client.ts';
import { startService } from '../../support/service.ts';
import type { Part } from '../figure.ts';
import { aLoop } from '../playbooks.ts';
import { residentMb } from '../resident.ts';
import { startNoOpTarget } from '../start-target.ts';

const TURNS = 10_000;

export const loop: Part = {
  name: 'loop',
  says:
    `A while-condition of ${TURNS.toLocaleString('en')} turns with one HTTP step each, whose answer the ` +
    'condition tests. The calls of the HTTP target are taken off as for chains of steps. One run, after a ' +
    'tenth of it to warm up, which is also what the ratio compares with.',
  async run() {
    const target = await startNoOpTarget();
    const service = await startService();
    try {
      const ask = clientOf(service.url);
      const rawMs = await target.rawCallMs();
      const turnMs = async (turns: number) => {
        await fetch(`${target.url}/reset`);
        const { json } = await ask('POST', '/trigger/playbook', { body: aLoop(turns, target.url) });
        if (json.status !== 'successfully_executed') throw new Error(JSON.stringify(json));
        const [{ started, ended }] = (await ask('GET', '/execution?limit=1')).json;
        return (Date.parse(ended) - Date.parse(started)) / turns - rawMs;
      };
      await turnMs(TURNS / 10);
      const short = await turnMs(TURNS / 10);
      const before = residentMb(service.pid);
      const long = await turnMs(TURNS);
      return [
        { what: 'engine overhead per turn', value: long, unit: 'ms' },
        { what: 'ratio to a loop of a tenth', value: long / short, unit: 'x', target: 1.5 },
        {
          what: 'memory gained over the loop (RSS)',
          value: residentMb(service.pid) - before,
          unit: 'MB',
        },
      ];
    } finally {
      await service.dispose();
      target.stop();
    }
  },
};
