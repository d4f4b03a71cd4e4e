/** The functions an app registers while it loads, by name without regard to case. */

import {
  type Binding,
  Disposable,
  type FunctionCallback,
  type FunctionMetadata,
} from './core-types.ts';

export type BoundInput = { readonly name: string; readonly type: string };

export type RegisteredFunction = {
  readonly id: string;
  readonly name: string;
  /** As the library registered it, and as it wants it back at each invocation. */
  readonly metadata: FunctionMetadata;
  readonly callback: FunctionCallback;
  readonly trigger: { readonly name: string; readonly options: Binding };
  /** Lower case, such as `httptrigger`. */
  readonly triggerType: string;
  /** Inputs besides the trigger; types in lower case. */
  readonly extraInputs: readonly BoundInput[];
};

export class FunctionRegistry {
  readonly #functions = new Map<string, RegisteredFunction>();
  #closed = false;

  get all(): readonly RegisteredFunction[] {
    return [...this.#functions.values()];
  }

  find(name: string): RegisteredFunction | undefined {
    return this.#functions.get(name.toLowerCase());
  }

  /** Throws for a function without usable bindings, for a name that is taken, and after `close`. */
  register(metadata: FunctionMetadata, callback: FunctionCallback): Disposable {
    const described = describe(metadata, callback);
    if (this.#closed) {
      throw new Error(
        `The function "${described.name}" cannot be registered: the app has started already.`,
      );
    }
    const key = described.name.toLowerCase();
    if (this.#functions.has(key)) {
      throw new Error(`A function named "${described.name}" is registered already.`);
    }
    this.#functions.set(key, described);
    return new Disposable(() => {
      if (!this.#closed) this.#functions.delete(key);
    });
  }

  close(): void {
    this.#closed = true;
  }
}

const permittedName = /^[a-z][a-z0-9_-]{0,127}$/i;

function describe(metadata: FunctionMetadata, callback: FunctionCallback): RegisteredFunction {
  const { name } = metadata;
  if (!permittedName.test(name)) {
    throw new Error(
      `"${name}" is not a permitted function name: up to 128 letters, digits, _ and -, beginning with a letter.`,
    );
  }
  if (typeof callback !== 'function') throw new Error(`The function "${name}" has no handler.`);
  const bindings = Object.entries(metadata.bindings ?? {});
  const triggers = bindings.filter(([, binding]) => isTrigger(binding));
  const [trigger] = triggers;
  if (trigger === undefined || triggers.length > 1) {
    throw new Error(`The function "${name}" needs exactly one trigger.`);
  }
  const [triggerName, options] = trigger;
  return {
    id: metadata.functionId ?? name,
    name,
    metadata,
    callback,
    trigger: { name: triggerName, options },
    triggerType: options.type.toLowerCase(),
    extraInputs: bindings
      .filter(([, binding]) => binding.direction === 'in' && !isTrigger(binding))
      .map(([inputName, binding]) => ({ name: inputName, type: binding.type.toLowerCase() })),
  };
}

function isTrigger(binding: Binding): boolean {
  return /trigger$/i.test(binding.type);
}
