/** The no-op target in a process of its own, and what one call of it costs without the product. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { bestOf, elapsedMs } from './figure.ts';

export type NoOpTarget = {
  readonly url: string;
  /** Sequential calls over one kept connection, as a chain of steps makes them. */
  rawCallMs(): Promise<number>;
  stop(): void;
};

const CALLS = 1_000;

export async function startNoOpTarget(): Promise<NoOpTarget> {
  const script = join(import.meta.dirname, 'no-op-target.ts');
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const url = line.toString().trim();
  const dispatcher = new Agent({ connections: 1 });
  return {
    url,
    async rawCallMs() {
      const calls = async () => {
        for (let call = 0; call < CALLS; call += 1) {
          const { body } = await request(url, { dispatcher });
          await body.dump();
        }
      };
      return (await bestOf(3, () => elapsedMs(calls))) / CALLS;
    },
    stop() {
      void dispatcher.destroy();
      child.kill();
    },
  };
}
