/** The answer of an operation that may be refused for a named reason. Refusals are values here, not exceptions. */
export type Result<Value, Code extends string> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly code: Code };

/** The operation was done and has nothing to tell. */
export const done: Result<void, never> = { ok: true, value: undefined };

export function accepted<Value>(value: Value): Result<Value, never> {
  return { ok: true, value };
}

export function refused<Code extends string>(code: Code): Result<never, Code> {
  return { ok: false, code };
}
