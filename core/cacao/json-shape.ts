/** Size and depth of parsed JSON, found without recursion so that no input can exhaust the stack. */

export type JsonShape = {
  /** Levels of arrays and objects inside each other; 0 for a scalar. */
  readonly depth: number;
  /** Values of all kinds, the root included. */
  readonly values: number;
};

/** JSON nested deeper than this is refused. */
export const NESTING_LIMIT = 64;

/** Linear; stops going down below `NESTING_LIMIT` + 1 levels. */
export function measureJson(json: unknown): JsonShape {
  let depth = 0;
  let values = 0;
  for (let level: unknown[] = [json]; level.length > 0; ) {
    const below: unknown[] = [];
    let containers = false;
    values += level.length;
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      containers = true;
      for (const member of Array.isArray(value) ? value : Object.values(value)) below.push(member);
    }
    if (containers) depth += 1;
    level = depth > NESTING_LIMIT ? [] : below;
  }
  return { depth, values };
}

export function isNestedTooDeep(json: unknown): boolean {
  return measureJson(json).depth > NESTING_LIMIT;
}
