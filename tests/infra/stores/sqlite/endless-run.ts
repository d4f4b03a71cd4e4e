/**
 * The child process of `survives-kill.test.ts`: takes turns for ever in the database named by its argument
 * and writes the number of each turn once it is committed. Every turn changes a variable, a step, the
 * manual command and the text of the run, so that a torn one would show.
 */

import { writeSync } from 'node:fs';
import { mainWalk } from '../../../../core/execution/ids.ts';
import { createSqliteStores } from '../../../../infra/stores/sqlite/create-sqlite-stores.ts';
import {
  aCommand,
  aCommit,
  aNewRun,
  anOngoingStep,
  aStep,
  executionId,
  text,
} from '../../../contracts/builders.ts';

const stores = createSqliteStores({ path: process.argv[2] ?? '', synchronous: 'normal' });
await stores.runs.create(aNewRun(1));
const open = await stores.journal.open(executionId(1), mainWalk);
for (let turn = open?.walk.turn ?? 0; ; turn += 1) {
  await stores.journal.begin(executionId(1), mainWalk, turn, anOngoingStep(`w#${turn}`));
  await stores.journal.commit(
    aCommit(1, turn, {
      variables: { __turn__: text(`${turn + 1}`), __filler__: text('x'.repeat(5_000)) },
      steps: [aStep(`w#${turn}`)],
      ask: aCommand(1, turn + 1),
      run: { statusText: `turn ${turn + 1}` },
      ...(turn % 10 === 0 ? { child: aNewRun(turn + 2) } : {}),
    }),
  );
  writeSync(1, `${turn + 1}\n`);
}
