/**
 * Records the histories anew: `node tests/replay/record.ts [scenario...]`. Only after a decision that running
 * instances may break: a history that does not replay any more is one of an execution that cannot go on.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordScenario } from './record-scenario.ts';
import { scenarios } from './scenarios.ts';

const folder = join(import.meta.dirname, 'histories');
const wanted = process.argv.slice(2);

mkdirSync(folder, { recursive: true });
for (const scenario of scenarios) {
  if (wanted.length > 0 && !wanted.includes(scenario.name)) continue;
  const recording = await recordScenario(scenario);
  const text = JSON.stringify(recording, null, 1);
  // Stacks of errors name the place of this checkout, which means nothing elsewhere.
  const here = new URL('../../', import.meta.url).href;
  writeFileSync(join(folder, `${scenario.name}.json`), `${text.replaceAll(here, '')}\n`);
  process.stdout.write(`${scenario.name}: ${recording.generations.length} generations\n`);
}
