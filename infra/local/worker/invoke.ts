/**
 * Runs one function as the Functions worker does: arguments from the programming model, hooks before,
 * the handler, hooks after, the response from the programming model.
 */

import { randomUUID } from 'node:crypto';
import type {
  CoreInvocationContext,
  FunctionCallback,
  InvocationModel,
  InvocationResponse,
  ProgrammingModel,
} from './core-types.ts';
import type { RegisteredFunction } from './function-registry.ts';
import type { Hooks } from './hooks.ts';
import { type NamedData, settleLiveValue, type TypedData } from './typed-data.ts';
import type { LogScope, WorkerLog } from './worker-log.ts';

export type InvocationRequest = {
  /** A fresh one when absent. */
  readonly invocationId?: string;
  /** One entry per input binding; with `live`, none for the trigger. */
  readonly inputData: readonly NamedData[];
  readonly triggerMetadata?: Readonly<Record<string, TypedData>>;
};

/** The library's response, and what the function itself returned. */
export type InvocationAnswer = InvocationResponse & { readonly result: unknown };

export type InvokerParts = {
  readonly model: ProgrammingModel;
  readonly hooks: Hooks;
  readonly log: WorkerLog;
  readonly appHookData: object;
};

export class Invoker {
  readonly #parts: InvokerParts;

  constructor(parts: InvokerParts) {
    this.#parts = parts;
  }

  /** Answers what the library sends back to a host. Rejects with what the function threw. */
  async invoke(fn: RegisteredFunction, request: InvocationRequest): Promise<InvocationAnswer> {
    const { model, context, result } = await this.#run(fn, request, undefined);
    return { ...(await model.getResponse(context, result)), result };
  }

  /** Hands the trigger input over as it is, and the result back as it is. */
  async invokeLive(
    fn: RegisteredFunction,
    request: InvocationRequest,
    trigger: { readonly value: unknown },
  ): Promise<unknown> {
    const { result } = await this.#run(fn, request, trigger);
    return settleLiveValue(result);
  }

  async #run(
    fn: RegisteredFunction,
    request: InvocationRequest,
    live: { readonly value: unknown } | undefined,
  ): Promise<{ model: InvocationModel; context: unknown; result: unknown }> {
    const { hooks, appHookData } = this.#parts;
    const invocationId = request.invocationId ?? randomUUID();
    const hookData = {};
    let scope: LogScope = { hookData, appHookData, functionName: fn.name, invocationId };
    const core: CoreInvocationContext = {
      invocationId,
      metadata: fn.metadata,
      request: { ...request, invocationId, functionId: fn.id },
      log: (level, category, message) => this.#parts.log.write(scope, level, category, message),
    };

    const model = await this.#parts.model.getInvocationModel(core);
    const { context, inputs } = await model.getArguments();
    if (live !== undefined) inputs.unshift(live.value);
    scope = { ...scope, invocationContext: context };
    const shared = { hookData, appHookData, invocationContext: context };

    core.state = 'preInvocationHooks';
    const before = { ...shared, functionCallback: fn.callback, inputs };
    await hooks.run('preInvocation', before);

    core.state = 'invocation';
    const after = {
      ...shared,
      inputs: before.inputs,
      ...(await settle(model, context, before.inputs, before.functionCallback)),
    };

    core.state = 'postInvocationHooks';
    await hooks.run('postInvocation', after);
    // From here on the library reports log lines of this invocation as too late.
    core.state = undefined;
    if (after.error !== undefined && after.error !== null) throw after.error;
    return { model, context, result: after.result };
  }
}

async function settle(
  model: InvocationModel,
  context: unknown,
  inputs: unknown[],
  callback: FunctionCallback,
): Promise<{ result: unknown; error: unknown }> {
  try {
    const result = await model.invokeFunction(context, inputs, callback);
    return { result, error: undefined };
  } catch (thrown) {
    // Hooks tell failure from success by this member, so nothing thrown must not look like success.
    return { result: undefined, error: thrown ?? new Error('The function threw nothing.') };
  }
}
