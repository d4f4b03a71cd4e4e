/** What this process says about itself in GET /status. */

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export type ServiceInfo = {
  /** Semantic version of the package. */
  readonly version: string;
  readonly runtime: 'docker' | 'windows' | 'linux' | 'macos' | 'other';
  readonly startedMs: number;
};

export function serviceInfo(): ServiceInfo {
  return {
    version: packageVersion(),
    runtime: runtime(),
    startedMs: Math.round(performance.timeOrigin),
  };
}

/** Beside dist/app.cjs as well as beside the sources, the package is one or two folders up. */
function packageVersion(): string {
  for (const up of ['../package.json', '../../package.json']) {
    const path = fileURLToPath(new URL(up, import.meta.url));
    if (!existsSync(path)) continue;
    const { version } = JSON.parse(readFileSync(path, 'utf8')) as { readonly version?: string };
    if (version !== undefined) return version;
  }
  return '0.0.0';
}

function runtime(): ServiceInfo['runtime'] {
  if (existsSync('/.dockerenv')) return 'docker';
  switch (process.platform) {
    case 'linux':
      return 'linux';
    case 'win32':
      return 'windows';
    case 'darwin':
      return 'macos';
    default:
      return 'other';
  }
}
