/**
 * Decides a condition. `=` and `!=` compare text whatever the declared types (spec, Execution rules 8 and 9):
 * 05 is not 5. The other operators follow the declared type of the first variable on the left, else on the
 * right; without a variable, or with any other type, they compare text.
 */

import type { Condition, Operator } from './condition.ts';
import { interpolate } from './interpolate.ts';
import { isInRange, parseIpAddress } from './ip-address.ts';

/** Type and value of a variable by its name; undefined when there is no such variable. */
export type TypedLookup = (
  name: string,
) => { readonly type: string; readonly value?: string | null } | undefined;

export type Verdict =
  | { readonly ok: true; readonly value: boolean }
  | { readonly ok: false; readonly reason: string };

/** Never throws; a comparison that makes no sense is a reason. */
export function evaluateCondition(condition: Condition, lookup: TypedLookup): Verdict {
  const left = resolve(condition.left, lookup);
  const right = resolve(condition.right, lookup);
  const { operator } = condition;
  if (operator === '=') return decided(left.text === right.text);
  if (operator === '!=') return decided(left.text !== right.text);
  return compareTyped(left.type ?? right.type ?? 'string', left.text, operator, right.text);
}

type Ordering = Exclude<Operator, '=' | '!='>;
type Operand = { readonly text: string; readonly type: string | undefined };

function resolve(text: string, lookup: TypedLookup): Operand {
  let type: string | undefined;
  const inserted = interpolate(text, (name) => {
    const variable = lookup(name);
    if (variable === undefined) return undefined;
    type ??= variable.type;
    return variable.value ?? '';
  });
  return { text: inserted, type };
}

function compareTyped(type: string, left: string, operator: Ordering, right: string): Verdict {
  if (type === 'integer' || type === 'long')
    return compareNumbers(left, operator, right, type, readInteger);
  if (type === 'float') return compareNumbers(left, operator, right, type, readFloat);
  if ((type === 'ipv4-addr' || type === 'ipv6-addr') && operator === 'IN')
    return isWithin(left, right);
  if (operator === 'IN') return decided(left.includes(right));
  return decided(order(left, operator, right));
}

function compareNumbers<N extends number | bigint>(
  left: string,
  operator: Ordering,
  right: string,
  type: string,
  read: (text: string) => N | undefined,
): Verdict {
  if (operator === 'IN')
    return { ok: false, reason: `IN does not apply to variables of type ${type}` };
  const first = read(left);
  const second = read(right);
  if (first === undefined) return notA(`a value of type ${type}`, left);
  if (second === undefined) return notA(`a value of type ${type}`, right);
  return decided(order(first, operator, second));
}

function isWithin(left: string, right: string): Verdict {
  const address = parseIpAddress(left);
  if (address === undefined) return notA('an IP address', left);
  const within = isInRange(address, right);
  return within === undefined ? notA('a network such as 10.0.0.0/8', right) : decided(within);
}

function order<T extends string | number | bigint>(
  left: T,
  operator: Exclude<Ordering, 'IN'>,
  right: T,
): boolean {
  switch (operator) {
    case '>':
      return left > right;
    case '<':
      return left < right;
    case '>=':
      return left >= right;
    case '<=':
      return left <= right;
  }
}

/** Bounded, because reading a huge number is not linear. */
function readInteger(text: string): bigint | undefined {
  return /^[+-]?\d{1,300}$/.test(text) ? BigInt(text.replace('+', '')) : undefined;
}

function readFloat(text: string): number | undefined {
  return /^[+-]?(\d{1,300}(\.\d{0,300})?|\.\d{1,300})(e[+-]?\d{1,5})?$/i.test(text)
    ? Number(text)
    : undefined;
}

function decided(value: boolean): Verdict {
  return { ok: true, value };
}

function notA(what: string, text: string): Verdict {
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
  const hint = /\s$/.test(text) ? ' (output of commands often ends with a line break)' : '';
  return { ok: false, reason: `${shown} is not ${what}${hint}` };
}
