/** What GET /status/fins shows of a fin. */

import type { Fin } from './fin.ts';
import type { CapabilityId } from './ids.ts';

export type FinStatus = {
  readonly name: string;
  readonly status: 'ready' | 'running' | 'failed' | 'stopped';
  readonly id: string;
  readonly version: string;
};

/** A fin runs while a command of any instance of the service is with one of its capabilities. */
export function finStatus(fin: Fin, isWorking: (id: CapabilityId) => boolean): FinStatus {
  const [first] = fin.capabilities;
  const running = fin.state !== 'stopped' && fin.capabilities.some(({ id }) => isWorking(id));
  return {
    name: fin.name ?? first?.name ?? fin.id,
    status: running ? 'running' : fin.state,
    id: fin.id,
    version: first?.version ?? '',
  };
}
