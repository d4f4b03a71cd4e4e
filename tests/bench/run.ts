/**
 * `npm run bench`: measures the bundle and prints a table and JSON; fails when a figure misses its target.
 * Options: --only a,b (parts), --json <file>, --list.
 */

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Figure, missesTarget, type Part } from './figure.ts';
import { describeMachine } from './machine.ts';
import { burst } from './parts/burst.ts';
import { fins } from './parts/fins.ts';
import { latency } from './parts/latency.ts';
import { loop } from './parts/loop.ts';
import { routes } from './parts/routes.ts';
import { startUp } from './parts/start-up.ts';
import { steps } from './parts/steps.ts';
import { stores } from './parts/stores.ts';
import { validation } from './parts/validation.ts';
import { waiting } from './parts/waiting.ts';
import { machineLines, tableOf } from './render.ts';

const parts: readonly Part[] = [
  startUp,
  latency,
  steps,
  burst,
  loop,
  waiting,
  stores,
  routes,
  validation,
  fins,
];

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    json: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
});

if (values.list) console.log(parts.map(({ name }) => name).join('\n'));
else await measure(chosen(values.only));

function chosen(only: string | undefined): readonly Part[] {
  if (only === undefined) return parts;
  const names = only.split(',');
  const unknown = names.filter((name) => !parts.some((part) => part.name === name));
  if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}.`);
  return parts.filter(({ name }) => names.includes(name));
}

async function measure(wanted: readonly Part[]): Promise<void> {
  const machine = describeMachine();
  console.log(machineLines(machine).join('\n'));
  const measured: { readonly part: string; readonly figures: readonly Figure[] }[] = [];
  for (const part of wanted) {
    console.log(`\n## ${part.name}\n\n${part.says}\n`);
    const figures = await part.run();
    console.log(tableOf(figures));
    measured.push({ part: part.name, figures });
  }
  const json = JSON.stringify({ machine, measured }, null, 2);
  if (values.json === undefined) console.log(`\n${JSON.stringify({ machine, measured })}`);
  else writeFileSync(values.json, `${json}\n`);
  const missed = measured.flatMap(({ figures }) => figures.filter(missesTarget));
  for (const { what, value, unit, target } of missed) {
    console.log(`MISSED: ${what}: ${value.toFixed(2)} ${unit}, target ${target} ${unit}`);
  }
  if (missed.length > 0) process.exitCode = 1;
}
