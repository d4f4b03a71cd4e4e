/** How long it takes to tell whether a playbook is valid. */

import { nativeCapabilities } from '../../../core/cacao/resolve-capability.ts';
import { validatePlaybook } from '../../../core/cacao/validation/validate-playbook.ts';
import { clientOf } from '../../support/client.ts';
import { startService } from '../../support/service.ts';
import { elapsedMs, type Part, percentile } from '../figure.ts';
import { aChain } from '../playbooks.ts';

const CALLS = 300;

export const validation: Part = {
  name: 'validation',
  says:
    `A playbook of 100 steps, checked by the validator alone and through POST /validation. ${CALLS} calls ` +
    'each, after a warm-up. The first check after a start compiles the schema and is shown by itself.',
  async run() {
    const playbook = aChain(100);
    const options = {
      knownCapabilities: new Set<string>(nativeCapabilities),
      agentPrefixes: ['svc', 'soarca'],
    };
    const check = async () => {
      if (!validatePlaybook(playbook, options).valid) throw new Error('It is not valid.');
    };
    const alone = await p50(check);
    const service = await startService();
    try {
      const ask = clientOf(service.url);
      const post = async () => {
        const { json } = await ask('POST', '/validation', { body: playbook });
        if (!json.valid) throw new Error('It is not valid.');
      };
      await ask('GET', '/status/ping');
      const first = await elapsedMs(post);
      const through = await p50(post);
      return [
        { what: 'the first POST /validation after a start', value: first, unit: 'ms' },
        { what: 'validator, p50', value: alone, unit: 'ms', target: 10 },
        { what: 'POST /validation, p50', value: through, unit: 'ms' },
      ];
    } finally {
      await service.dispose();
    }
  },
};

async function p50(work: () => Promise<void>): Promise<number> {
  for (let warm = 0; warm < CALLS / 3; warm += 1) await work();
  const times: number[] = [];
  for (let call = 0; call < CALLS; call += 1) times.push(await elapsedMs(work));
  return percentile(times, 0.5);
}
