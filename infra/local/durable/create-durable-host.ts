/** Makes the embedded durable engine: the store, the engine and the management API put together. */
import type { Log } from '../../../core/ports/log.ts';
import type {
  DurableAddress,
  DurableHost,
  DurableOptions,
  FunctionCaller,
  ManagementRequest,
  ManagementResponse,
} from './durable-host.ts';
import { DurableEngine } from './engine/durable-engine.ts';
import { serveManagement } from './management/management-api.ts';
import { clientBinding } from './management/management-links.ts';
import { refused } from './management/reply.ts';
import type { TimerLimits } from './protocol/timer-limits.ts';
import { azureTimerLimits } from './protocol/timer-limits.ts';
import { DurableStore } from './store/durable-store.ts';

export type DurableDeps = {
  readonly now: () => number;
  readonly log: Log;
  /** Tests scale these down; the default is what Azure Storage uses. */
  readonly timerLimits?: TimerLimits;
};

/**
 * The address may be a function, for hosts that learn their port late. The engine opens no socket;
 * `start` throws `DatabaseInUse` when another process has the database.
 */
export function createDurableHost(
  address: DurableAddress | (() => DurableAddress),
  options: DurableOptions,
  deps: DurableDeps,
): DurableHost {
  const links = () => ({
    address: typeof address === 'function' ? address() : address,
    hubName: options.hubName,
  });
  let engine: DurableEngine | undefined;

  return {
    async start(caller: FunctionCaller): Promise<void> {
      if (engine !== undefined) throw new Error('The durable engine was started already.');
      const store = new DurableStore(options.databasePath, options.synchronous);
      const timerLimits = deps.timerLimits ?? azureTimerLimits;
      try {
        const starting = new DurableEngine({ ...deps, store, caller, options, timerLimits });
        starting.start();
        engine = starting;
      } catch (error) {
        store.close();
        throw error;
      }
    },

    async stop(deadlineMs: number): Promise<void> {
      const stopping = engine;
      engine = undefined;
      await stopping?.stop(deadlineMs);
    },

    clientBinding: () => clientBinding(links()),

    async manage(request: ManagementRequest): Promise<ManagementResponse> {
      if (engine === undefined) return refused(503, 'The durable engine is not running.');
      const defaultVersion = options.defaultVersion ?? null;
      try {
        return await serveManagement({ engine, links, defaultVersion, now: deps.now }, request);
      } catch (error) {
        deps.log.error('durable.call_failed', { method: request.method, error });
        return refused(500, 'The durable engine could not do this; its log says why.');
      }
    },
  };
}
