/**
 * Application Insights, when a connection string is set. Loaded only then: it is by far the largest
 * dependency, and the Functions host reports requests by itself.
 */

import type { Log } from '../../core/ports/log.ts';

/** Never rejects: a service without telemetry still serves. */
export async function startTelemetry(connectionString: string, log: Log): Promise<void> {
  try {
    const { default: insights } = await import('applicationinsights');
    insights
      .setup(connectionString)
      .setAutoCollectConsole(false)
      .setAutoCollectRequests(false)
      .start();
    log.info('telemetry.started');
  } catch (error) {
    log.error('telemetry.unavailable', { error });
  }
}
