/** Isolation without copying on every read: values are copied and frozen once, when they are written. */

const known = new WeakSet<object>();

/** A deep copy nobody can change. What came from here before is not copied again. */
export function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && known.has(value)) return value;
  const copy = structuredClone(value);
  freeze(copy);
  return copy;
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const member of Object.values(value)) freeze(member);
  known.add(Object.freeze(value));
}
