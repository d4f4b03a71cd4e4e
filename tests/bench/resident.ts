/** The memory of another process, as the Linux kernel accounts it. */

import { readFileSync } from 'node:fs';

/** Resident set size. Throws where there is no /proc. */
export function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}
