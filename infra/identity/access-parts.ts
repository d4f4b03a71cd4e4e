import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/log.ts';

/** What telling callers apart needs besides its settings. */
export type AccessParts = { readonly clock: Clock; readonly log: Log };
