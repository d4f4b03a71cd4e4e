/** What the figures were measured on. */

import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';

export type Machine = {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  readonly sqlite: string;
  /** Runnable processes over the last minute, before the first measurement. */
  readonly loadBefore: number;
  readonly measuredAt: string;
};

export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
    sqlite: process.versions['sqlite'] ?? 'unknown',
    loadBefore: Math.round((loadavg()[0] ?? 0) * 100) / 100,
    measuredAt: new Date().toISOString().slice(0, 10),
  };
}
