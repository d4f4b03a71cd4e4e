/** Starts the product as `npm start` does, on a free port and with a data directory that is thrown away. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readEnvironment } from '../../core/config/environment.ts';

export type Product = {
  readonly url: string;
  stop(): Promise<void>;
};

/** What the demo relies on, whatever the environment or an .env file says. */
const settings = {
  PORT: '0',
  LISTEN_ADDRESS: '127.0.0.1',
  ENABLE_TLS: 'false',
  DATABASE: 'false',
  AUTH_ENABLED: 'false',
  ENABLE_FINS: 'false',
  CASEMGR_ACTIVATE: 'false',
  PARALLEL_BRANCHES: 'concurrent',
};

/** Rejects with what the product said when it does not start. */
export async function startProduct(root: string, signal: AbortSignal): Promise<Product> {
  const directory = await mkdtemp(join(tmpdir(), 'theobroma-demo-'));
  const product = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'dist/host.cjs'],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own: Ctrl-C reaches the demo alone, which then stops the product.
      detached: true,
      env: {
        ...readEnvironment(),
        ...settings,
        DATA_DIR: directory,
        LOG_FILE_PATH: join(directory, 'product.log'),
      },
    },
  );
  // The last resort: a demo that crashes leaves nothing running.
  const kill = () => product.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async () => {
    process.off('exit', kill);
    if (product.exitCode === null && product.signalCode === null) {
      product.kill('SIGTERM');
      await once(product, 'exit');
    }
    await rm(directory, { recursive: true, force: true });
  };
  try {
    return { url: await listening(product, signal), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function listening(product: ChildProcess, signal: AbortSignal): Promise<string> {
  const started = Promise.withResolvers<string>();
  const said: string[] = [];
  for (const stream of [product.stdout, product.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on('line', (line) => {
      said.push(line);
      const url = /listens on (\S+)/.exec(line)?.[1];
      if (url !== undefined) started.resolve(url);
    });
  }
  const fail = (why: string) => started.reject(new Error([why, ...said].join('\n')));
  product.once('exit', (code) => fail(`The product ended with code ${code}.`));
  product.once('error', (error) => fail(error.message));
  signal.addEventListener('abort', () => fail('The product did not start in time.'));
  return started.promise;
}
