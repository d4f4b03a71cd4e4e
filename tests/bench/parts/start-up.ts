/** How long a start takes: from the spawn of the process to its first answer. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { startArguments } from '../../support/service.ts';
import { type Figure, type Part, percentile } from '../figure.ts';

const STARTS = 7;
const root = join(import.meta.dirname, '../../..');

type Start = { readonly host: string; readonly appDirectory: string };

export const startUp: Part = {
  name: 'start-up',
  says:
    'From the spawn of the process to the answer of GET /status/ping, which asks the store. The bundle is ' +
    'what `npm start` runs; the sources are the same code, run by Node itself without a build. First start: ' +
    'an empty data directory, so databases are made and nothing is in the compile cache. Later starts find ' +
    `both. Best and median of ${STARTS}; files are in the memory of the system either way.`,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'bench-'));
    try {
      const bundle = { host: join(root, 'dist/host.cjs'), appDirectory: root };
      const sources = {
        host: join(root, 'infra/local/main.ts'),
        appDirectory: sourceApp(join(folder, 'app')),
      };
      const fromBundle = await startsOf(bundle, folder);
      const fromSources = await startsOf(sources, folder);
      return [
        ...figures('bundle', fromBundle, { target: 250 }),
        ...figures('sources', fromSources, {}),
        {
          what: 'sources over bundle, later start',
          value: Math.min(...fromSources.later) / Math.min(...fromBundle.later),
          unit: 'x',
        },
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

function figures(
  which: string,
  { first, later }: Starts,
  aim: Pick<Figure, 'target'>,
): readonly Figure[] {
  return [
    { what: `${which}: first start, best`, value: Math.min(...first), unit: 'ms', ...aim },
    { what: `${which}: first start, median`, value: percentile(first, 0.5), unit: 'ms' },
    { what: `${which}: later start, best`, value: Math.min(...later), unit: 'ms', ...aim },
    { what: `${which}: later start, median`, value: percentile(later, 0.5), unit: 'ms' },
  ];
}

/** An app whose entry is the source of the product. */
function sourceApp(directory: string): string {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'package.json'), '{ "type": "module", "main": "app.js" }');
  const entry = pathToFileURL(join(root, 'functions/app.ts')).href;
  writeFileSync(join(directory, 'app.js'), `import ${JSON.stringify(entry)};\n`);
  copyFileSync(join(root, 'host.json'), join(directory, 'host.json'));
  return directory;
}

type Starts = { readonly first: readonly number[]; readonly later: readonly number[] };

async function startsOf(start: Start, folder: string): Promise<Starts> {
  const first: number[] = [];
  const later: number[] = [];
  for (let at = 0; at < STARTS; at += 1) {
    const dataDirectory = mkdtempSync(join(folder, 'data-'));
    first.push(await timeStart(start, dataDirectory));
    later.push(await timeStart(start, dataDirectory));
  }
  return { first, later };
}

async function timeStart({ host, appDirectory }: Start, dataDirectory: string): Promise<number> {
  const begun = performance.now();
  const flags = startArguments.slice(0, -1);
  const child = spawn(process.execPath, [...flags, host], {
    cwd: appDirectory,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      LISTEN_ADDRESS: '127.0.0.1',
      DATA_DIR: dataDirectory,
      LOG_GLOBAL_LEVEL: 'error',
    },
  });
  try {
    const answer = await fetch(`${await addressOf(child)}/status/ping`);
    if (answer.status !== 200) throw new Error(`The first answer was ${answer.status}.`);
    return performance.now() - begun;
  } finally {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const url = /listens on (\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
  }
  child.once('exit', (code) => reject(new Error(`The start ended with code ${code}.`)));
  return promise;
}
