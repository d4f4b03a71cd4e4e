/**
 * Entry of `npm start`: refuses a Node.js that is too old with a sentence instead of a stack, and only
 * then loads the host.
 */

import { refuseNodeVersion } from './settings/node-version.ts';

const refusal = refuseNodeVersion(process.versions.node);
if (refusal === undefined) {
  void import('./cli.ts').then(({ runCli }) => runCli());
} else {
  process.stderr.write(`${refusal}\n`);
  process.exitCode = 1;
}
