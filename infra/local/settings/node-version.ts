/** The oldest Node.js the product runs on: earlier ones lack a usable `node:sqlite`. */
export const leastNodeVersion = '22.19.0';

/** Answers a sentence to show, or undefined when `version` (such as `24.21.0`) is recent enough. */
export function refuseNodeVersion(version: string): string | undefined {
  const [found, least] = [version, leastNodeVersion].map((text) => text.split('.').map(Number));
  const isOlder = firstDifference(found ?? [], least ?? []) < 0;
  return isOlder
    ? `Theobroma needs Node.js ${leastNodeVersion} or later; this is ${version}.`
    : undefined;
}

function firstDifference(left: readonly number[], right: readonly number[]): number {
  const index = right.findIndex((part, at) => part !== left[at]);
  return index < 0 ? 0 : (left[index] ?? 0) - (right[index] ?? 0);
}
