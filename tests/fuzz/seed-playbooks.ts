/** The valid playbooks that are broken: the examples, those of the chaos suite, and generated ones. */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { JsonObject } from '../../core/json.ts';
import { aChaosPlaybook } from '../chaos/chaos-playbook.ts';
import { generatedPlaybook } from '../support/generated-playbook.ts';
import { createRandom } from '../support/random.ts';

export function seedPlaybooks(seed: number): readonly JsonObject[] {
  const folder = join(import.meta.dirname, '../../examples');
  const examples = globSync('*.json', { cwd: folder }).map(
    (file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as JsonObject,
  );
  const chaotic = [1, 2, 3].map(
    (at) => aChaosPlaybook(`f${at}`, 'http://127.0.0.1:9', createRandom(seed + at)).playbook,
  );
  const generated = fc
    .sample(generatedPlaybook(), { seed, numRuns: 20 })
    .map(({ playbook }) => playbook);
  return [...examples, ...chaotic, ...generated];
}
