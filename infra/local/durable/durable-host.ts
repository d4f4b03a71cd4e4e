/**
 * The seam between the embedded Functions host and its durable engine. The host knows functions,
 * bindings and HTTP; the engine knows histories, timers and the database. Neither imports the
 * other's inside.
 */

/** Calls a registered function of the app; the host implements this, the engine uses it. */
export interface FunctionCaller {
  /** Names of the functions with an orchestration or activity trigger, as the app registered them. */
  readonly orchestrators: ReadonlySet<string>;
  readonly activities: ReadonlySet<string>;
  /**
   * Runs one function with its trigger input. With `route: 'json'` the input travels as typed data
   * exactly as on Azure; with `route: 'live'` the object is handed over as it is.
   * Resolves with the return value, decoded from typed data on the JSON route and as it is on the
   * live one. Rejects with what the function threw.
   */
  call(functionName: string, input: TriggerInput): Promise<unknown>;
}

export type TriggerInput =
  | { readonly route: 'json'; readonly text: string }
  | { readonly route: 'live'; readonly value: unknown };

/** One HTTP call of the durable management API, already stripped of its secret path prefix. */
export type ManagementRequest = {
  readonly method: string;
  /** Path below the prefix without leading slash, for example `instances/abc/raiseEvent/go`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly contentType: string | undefined;
  /** Value of the header `x-ms-continuation-token`, for the next page of a list. */
  readonly continuationToken?: string | undefined;
  readonly body: string;
};

export type ManagementResponse = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Serialised as JSON; absent means an empty body. */
  readonly body?: unknown;
};

/** The durable engine as the host sees it. */
export interface DurableHost {
  /** Opens the database exclusively, takes up every unfinished instance, starts working. */
  start(caller: FunctionCaller): Promise<void>;
  /** Takes no new work, waits for running activities up to the deadline, then leaves them to the next start. */
  stop(deadlineMs: number): Promise<void>;
  /** JSON text of the `durableClient` input binding (functions-runtime section 4). */
  clientBinding(): string;
  /** Serves the management API (functions-runtime section 4.1). */
  manage(request: ManagementRequest): Promise<ManagementResponse>;
}

/** What the engine must know about where it is served. */
export type DurableAddress = {
  /** Loopback base ending in `/`, with the per-start secret in the path. */
  readonly rpcBaseUrl: string;
  /** Public base of the management API without trailing slash, and the key it asks for as `code`. */
  readonly webhookBaseUrl: string;
  readonly webhookCode: string;
};

export type DurableOptions = {
  readonly databasePath: string;
  readonly hubName: string;
  /** FULL survives power loss, NORMAL survives kill -9. */
  readonly synchronous: 'NORMAL' | 'FULL';
  readonly maxConcurrentActivities: number;
  readonly maxOrchestrationActions: number;
  /** `live` skips two JSON passes over the history; `json` is what Azure does (used in tests). */
  readonly route: 'json' | 'live';
  /** Test modes: run each episode twice and compare; drop every cache between episodes; shuffle completions by seed. */
  readonly checkReplay: boolean;
  readonly dropCaches: boolean;
  readonly shuffleSeed?: number;
  readonly defaultVersion?: string;
};
