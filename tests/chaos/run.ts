/**
 * `npm run chaos`: the long form of the chaos suite. Options: --seed <number> (of its own choice when
 * absent, printed to be repeated), --runs 20, --kills 20.
 */

import { parseArgs } from 'node:util';
import { wreak } from './chaos.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    runs: { type: 'string', default: '20' },
    kills: { type: 'string', default: '20' },
  },
});

const options = {
  seed: Number(values.seed),
  runs: Number(values.runs),
  kills: Number(values.kills),
};
console.log(`Seed ${options.seed}. Again: npm run chaos -- --seed ${options.seed}`);
const { wrong, ...counts } = await wreak({ ...options, say: (line) => console.log(line) });
console.log(JSON.stringify(counts));
for (const sentence of wrong) console.log(`WRONG: ${sentence}`);
if (wrong.length > 0) process.exitCode = 1;
else console.log('Nothing was lost, nothing recorded was repeated, every repetition is marked.');
