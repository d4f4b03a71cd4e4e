/**
 * Decides what a test does when the real program it talks to is not installed: it is skipped with one
 * line saying what to install, or fails when REQUIRE_PEERS=1 says that nothing may be skipped.
 */

/** Answers whether to skip; use as `describe.skipIf(peer('sshd', 'apt-get install openssh-server', found))`. */
export function peer(name: string, howToInstall: string, isAvailable: boolean): boolean {
  if (isAvailable) return false;
  const sentence = `${name} is not available here; to run the tests that need it: ${howToInstall}`;
  if (process.env['REQUIRE_PEERS'] === '1') throw new Error(sentence);
  process.stderr.write(`skipped: ${sentence}\n`);
  return true;
}
