/** `npm run demo` as a person sees it. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

test('the demo executes its playbook, tells what happens, and ends well', async () => {
  const { stdout, stderr } = await run(process.execPath, ['examples/demo.ts'], {
    // Settings of the person who tries it must not get in the way.
    env: { ...process.env, PORT: '1', AUTH_ENABLED: 'true', DATABASE: 'true' },
    timeout: 60_000,
  });

  expect(stderr).toBe('');
  expect(stdout).toMatch(/begins {3}Collect evidence/);
  expect(stdout).toMatch(/failed {3}Block it at the firewall: HTTP 503/);
  expect(stdout).toMatch(/asks {5}ws-0417\.example\.com talks to 203\.0\.113\.45/);
  expect(stdout).toContain('Contain a beaconing workstation  [successfully_executed');
  expect(stdout).toMatch(/│ {2}├─ action: Block it at the firewall {2}\[failed/);
  expect(stdout).toMatch(/│ {2}└─ Purge a message from all mailboxes {2}\[successfully_executed/);
  expect(stdout).toMatch(/Ask for its state {2}\[successfully_executed, .* executed 3 times\]/);
  expect(stdout).toContain('the loop ended after 3 turns');
  expect(stdout.trimEnd()).toMatch(/11 calls were made, and everything is as it should be\.$/);
  expect(stdout).not.toContain('\u001b');
});
