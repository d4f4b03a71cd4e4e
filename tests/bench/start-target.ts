/** The no-op target in a process of its own, and what one call of it costs without the product. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from 'undici';
import { bestOf, elapsedMs } from './figure.ts';

export type NoOpTarget = {
  readonly url: string;
  /** Sequential calls, each over a connection of its own, as the steps of a chain make them. */
  rawCallMs(): Promise<number>;
  stop(): void;
};

const CALLS = 1_000;

export async function startNoOpTarget(): Promise<NoOpTarget> {
  const script = join(import.meta.dirname, 'no-op-target.ts');
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const url = line.toString().trim();
  return {
    url,
    async rawCallMs() {
      const calls = async () => {
        for (let call = 0; call < CALLS; call += 1) {
          const client = new Client(url);
          const { body } = await client.request({ path: '/', method: 'GET' });
          await body.dump();
          await client.destroy();
        }
      };
      return (await bestOf(3, () => elapsedMs(calls))) / CALLS;
    },
    stop() {
      child.kill();
    },
  };
}
