/**
 * Runs one episode of one instance: gathers its messages, asks the code, decides, commits. The
 * scheduler guarantees that no two run at once for the same instance.
 */
import type { Log } from '../../../../core/ports/log.ts';
import type { DurableOptions, FunctionCaller } from '../durable-host.ts';
import type { HistoryEvent } from '../protocol/history-event.ts';
import type { TimerLimits } from '../protocol/timer-limits.ts';
import type { DurableStore } from '../store/durable-store.ts';
import { askOrchestrator } from './ask-orchestrator.ts';
import type { Committed } from './commit-episode.ts';
import { commitEpisode, consume } from './commit-episode.ts';
import type { Messages } from './episode-batch.ts';
import { episodeBatch } from './episode-batch.ts';
import type { Decision, DecisionRules } from './episode-decision.ts';
import { decideEpisode, terminated } from './episode-decision.ts';
import { FunctionNames } from './function-names.ts';
import type { Pick } from './pick.ts';
import type { Run } from './run.ts';
import { loadRun } from './run.ts';
import { RunCache } from './run-cache.ts';
import { warnAboutSizes } from './warn-about-sizes.ts';

export type EpisodeRunnerParts = {
  readonly store: DurableStore;
  readonly caller: FunctionCaller;
  readonly activities: FunctionNames;
  readonly options: DurableOptions;
  readonly timerLimits: TimerLimits;
  readonly now: () => number;
  readonly log: Log;
  readonly pick: Pick;
};

export class EpisodeRunner {
  readonly orchestrators: FunctionNames;
  readonly #parts: EpisodeRunnerParts;
  readonly #rules: DecisionRules;
  readonly #cache = new RunCache();
  /** Instances whose episode is in progress; `gone` when they were purged meanwhile. */
  readonly #inProgress = new Map<string, { gone: boolean }>();

  constructor(parts: EpisodeRunnerParts) {
    this.#parts = parts;
    this.orchestrators = new FunctionNames(parts.caller.orchestrators);
    this.#rules = {
      timerLimits: parts.timerLimits,
      maxActions: parts.options.maxOrchestrationActions,
      knowsActivity: (name) => parts.activities.has(name),
      knowsOrchestrator: (name) => this.orchestrators.has(name),
      defaultVersion: parts.options.defaultVersion ?? null,
    };
  }

  /** Forgets an instance whose rows were deleted or replaced. */
  forget(id: string): void {
    this.#cache.drop(id);
    const episode = this.#inProgress.get(id);
    if (episode !== undefined) episode.gone = true;
  }

  /**
   * Consumes the messages in one transaction. Returns what is to be dispatched; undefined when the
   * messages concern nobody any more. On a throw nothing was consumed.
   */
  async run(id: string, messages: Messages): Promise<Committed | undefined> {
    const mark = { gone: false };
    this.#inProgress.set(id, mark);
    try {
      return await this.#advance(id, messages, mark);
    } catch (error) {
      this.#cache.drop(id);
      throw error;
    } finally {
      this.#inProgress.delete(id);
    }
  }

  async #advance(
    id: string,
    messages: Messages,
    mark: { readonly gone: boolean },
  ): Promise<Committed | undefined> {
    const { store, log, now, pick } = this.#parts;
    const run = this.#cache.get(id) ?? loadRun(store, id);
    const batch = run && episodeBatch(run, messages, now(), pick);
    if (run === undefined || batch === undefined) {
      store.transaction(() => consume(store, id, messages));
      return undefined;
    }
    const decision = await this.#decide(run, batch);
    if (mark.gone) return undefined;
    const committed = commitEpisode(store, { run, messages, batch, decision, now: now() });
    warnAboutSizes(log, id, messages, decision);
    if (decision.kind === 'ended' || this.#parts.options.dropCaches) this.#cache.drop(id);
    else this.#cache.put(committed.run);
    return committed;
  }

  async #decide(run: Run, batch: readonly HistoryEvent[]): Promise<Decision> {
    const { caller, options, timerLimits } = this.#parts;
    for (const event of batch) {
      if (event.kind === 'ExecutionTerminated') return terminated(run, event.reason);
    }
    const { id, name, input, parent } = run.instance;
    const registered = this.orchestrators.find(name);
    if (registered === undefined) throw new OrchestratorMissing(name);
    const parentInstanceId = parent?.instanceId ?? null;
    const played = run.events;
    const trigger = { instanceId: id, parentInstanceId, input, played, batch, timerLimits };
    const result = await askOrchestrator(caller, registered, trigger, options);
    return decideEpisode(run, batch, result, this.#rules);
  }
}

/** The app no longer has the orchestrator of an unfinished instance; the instance stays as it is. */
export class OrchestratorMissing extends Error {
  constructor(name: string) {
    super(`The app has no orchestrator '${name}'; its instances wait until it has one again.`);
    this.name = 'OrchestratorMissing';
  }
}
