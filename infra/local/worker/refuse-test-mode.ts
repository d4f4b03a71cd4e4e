/**
 * Notices that a copy of `@azure/functions` did not find this host. It then switches to what it calls
 * test mode: it drops every registration and says so only in a console warning.
 */

import console from 'node:console';
import { StartError } from '../start-error.ts';

/** Throws a StartError when `load` makes the library print that warning; other warnings pass. */
export async function refuseTestMode(load: () => Promise<void>): Promise<void> {
  const warn = console.warn;
  let switched = false;
  console.warn = (...parts: unknown[]) => {
    if (String(parts[0]).includes('"@azure/functions" package')) switched = true;
    else warn(...parts);
  };
  try {
    await load();
  } finally {
    console.warn = warn;
  }
  if (!switched) return;
  throw new StartError(
    'The library @azure/functions did not find this host: a bundle of the app must keep @azure/functions-core external and be able to require it.',
  );
}
