/** The long form of the fuzz suite: `node tests/fuzz/run.ts [--seed <number>] [--mutations 10000]`. */

import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    mutations: { type: 'string', default: '10000' },
  },
});

const options = { seed: Number(values.seed), mutations: Number(values.mutations) };
const say = (line: string) => process.stdout.write(`${line}\n`);
say(`Seed ${options.seed}, ${options.mutations} mutations.`);
const { wrong, ...counts } = await fuzz(options);
say(JSON.stringify(counts));
for (const sentence of wrong) say(`WRONG: ${sentence}`);
if (wrong.length > 0) process.exitCode = 1;
