/**
 * The part of the worker's programming interface that the library `@azure/functions` talks to. The
 * library brings the programming model; the worker brings registration, hooks and logging.
 */

import type { NamedData, TypedData } from './typed-data.ts';

export type FunctionCallback = (...args: unknown[]) => unknown;

/** One binding of a function: its type, its direction and whatever options its type knows. */
export type Binding = {
  readonly type: string;
  readonly direction?: string;
  readonly [option: string]: unknown;
};

export type FunctionMetadata = {
  readonly name: string;
  readonly functionId?: string;
  readonly bindings: Readonly<Record<string, Binding>>;
};

export type FunctionLogLevel =
  | 'trace'
  | 'debug'
  | 'information'
  | 'warning'
  | 'error'
  | 'critical'
  | 'none';

export type LogCategory = 'user' | 'system' | 'customMetric';

export type InvocationState = 'preInvocationHooks' | 'invocation' | 'postInvocationHooks';

/** What the library is told about one invocation. It keeps the object and reads `state` later. */
export type CoreInvocationContext = {
  readonly invocationId: string;
  readonly metadata: FunctionMetadata;
  readonly request: {
    readonly invocationId: string;
    readonly functionId: string;
    readonly inputData: readonly NamedData[];
    readonly triggerMetadata?: Readonly<Record<string, TypedData>>;
  };
  state?: InvocationState | undefined;
  log(level: FunctionLogLevel, category: LogCategory, message: string): void;
};

export type InvocationResponse = {
  readonly outputData?: readonly NamedData[];
  readonly returnValue?: TypedData | null;
};

export interface InvocationModel {
  getArguments(): Promise<{ context: unknown; inputs: unknown[] }>;
  invokeFunction(context: unknown, inputs: unknown[], callback: FunctionCallback): Promise<unknown>;
  getResponse(context: unknown, result: unknown): Promise<InvocationResponse>;
}

export interface ProgrammingModel {
  readonly name: string;
  readonly version: string;
  getInvocationModel(context: CoreInvocationContext): InvocationModel | Promise<InvocationModel>;
  getCapabilities?(
    capabilities: WorkerCapabilities,
  ): WorkerCapabilities | Promise<WorkerCapabilities>;
}

export type WorkerCapabilities = Record<string, string>;

/** Given back by registrations; `dispose` takes the registration back, once. */
export class Disposable {
  #onDispose: (() => void) | undefined;

  constructor(onDispose: () => void) {
    this.#onDispose = onDispose;
  }

  static from(...parts: readonly { dispose(): unknown }[]): Disposable {
    return new Disposable(() => {
      for (const part of parts) part.dispose();
    });
  }

  dispose(): void {
    const onDispose = this.#onDispose;
    this.#onDispose = undefined;
    onDispose?.();
  }
}
