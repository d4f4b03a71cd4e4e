/** A thousand people who have not answered yet. */

import { clientOf, until } from '../../support/client.ts';
import { startService } from '../../support/service.ts';
import { elapsedMs, type Part } from '../figure.ts';
import { aQuestion } from '../playbooks.ts';
import { residentMb } from '../resident.ts';

const WAITING = 1_000;
const AT_ONCE = 20;

export const waiting: Part = {
  name: 'waiting',
  says:
    `${WAITING.toLocaleString('en')} executions wait for the answer to a manual command at the same time; ` +
    `then all are answered, ${AT_ONCE} callers at a time. Memory is what the kernel counts as resident for ` +
    'the one process of the service, embedded durable engine and SQLite included.',
  async run() {
    const service = await startService();
    try {
      const ask = clientOf(service.url);
      const playbook = aQuestion();
      await ask('POST', '/playbook', { body: playbook });
      const idle = residentMb(service.pid);
      const headers = { prefer: 'respond-async' };
      const ids: string[] = [];
      const begunMs = await elapsedMs(async () => {
        await manyTimes(WAITING, async () => {
          const path = `/trigger/playbook/${playbook['id']}`;
          const { json } = await ask('POST', path, { headers });
          ids.push(json['execution-id']);
        });
        await until(
          () => ask('GET', '/manual'),
          ({ json }) => json.length === WAITING,
          60_000,
        );
      });
      const waitingMb = residentMb(service.pid);
      const step_id = String((await ask('GET', '/manual')).json[0].step_id);
      const answeredMs = await elapsedMs(async () => {
        await manyTimes(WAITING, async (at) => {
          const body = { execution_id: ids[at], step_id, response_status: 'success' };
          const { status } = await ask('POST', '/manual/continue', { body });
          if (status !== 200) throw new Error(`An answer was met with ${status}.`);
        });
        await until(
          () => ask('GET', '/status/playbook'),
          ({ json }) => json.length === 0,
          60_000,
        );
      });
      return [
        { what: 'memory before (RSS)', value: idle, unit: 'MB' },
        {
          what: `memory with ${WAITING} waiting (RSS)`,
          value: waitingMb,
          unit: 'MB',
          target: 300,
        },
        { what: 'until all wait', value: begunMs, unit: 'ms' },
        { what: 'until all are answered and have ended', value: answeredMs, unit: 'ms' },
      ];
    } finally {
      await service.dispose();
    }
  },
};

/** So many times, a few at once. */
async function manyTimes(times: number, work: (at: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let at = next; at < times; at = next) {
      next += 1;
      await work(at);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
