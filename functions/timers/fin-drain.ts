/** Every minute, where no connection to the broker stands: takes up what fins have said meanwhile. */

import type { TimerHandler } from '@azure/functions';
import type { Ready } from '../composition.ts';

export const finDrainSchedule = '0 * * * * *';

/** To be registered only where the setting FIN_LISTENER says `timer`. */
export function finDrainTimer(ready: Ready): TimerHandler {
  return async () => {
    const { fins, bench } = await ready();
    try {
      await fins?.drain();
    } catch (error) {
      // The broker is away; the next tick tries again.
      bench.log.warning('fin.drain-failed', { error });
    }
  };
}
