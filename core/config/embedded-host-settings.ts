/** What only the embedded host reads; on Azure the platform has its own settings for these. */

import { anyText, listOf, oneOf, wholeNumber } from './kinds.ts';
import { optional, setting } from './variable.ts';

export const embeddedHostVariables = {
  SHUTDOWN_SECONDS: setting(
    wholeNumber(0, 3600),
    10,
    'Seconds that commands in flight get to finish when the service stops.',
  ),
  DURABLE_SYNCHRONOUS: setting(
    oneOf(['NORMAL', 'FULL']),
    'NORMAL',
    'NORMAL survives the death of the process at any moment, FULL also the loss of power.',
  ),
  FUNCTION_KEYS: optional(
    listOf('keys', /./),
    'Keys accepted for functions that ask for one, separated by commas.',
    { secret: true },
  ),
  MASTER_KEY: optional(anyText, 'Key accepted for every function.', { secret: true }),
};
