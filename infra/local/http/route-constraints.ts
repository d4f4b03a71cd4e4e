/** The inline constraints of a route, such as `{id:int:min(1)}`: each looks at one decoded value. */

export type RouteConstraint = (value: string) => boolean;

const simple: Readonly<Record<string, RouteConstraint>> = {
  int: (value) => isWhole(value, -(2n ** 31n), 2n ** 31n - 1n),
  long: (value) => isWhole(value, -(2n ** 63n), 2n ** 63n - 1n),
  bool: (value) => /^\s*(true|false)\s*$/i.test(value),
  datetime: (value) => /\d/.test(value) && !Number.isNaN(Date.parse(value)),
  decimal: (value) => /^[+-]?(\d[\d,]*(\.\d*)?|\.\d+)$/.test(value),
  double: (value) => isFloat(value),
  float: (value) => isFloat(value),
  guid: (value) =>
    /^([({]?)[\da-f]{8}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{12}[)}]?$/i.test(value),
  alpha: (value) => /^[a-z]*$/i.test(value),
  required: (value) => value !== '',
};

const parametrised: Readonly<Record<string, (argument: string) => RouteConstraint>> = {
  length: (argument) => {
    const [least, most = least] = wholeArguments(argument, 1, 2);
    return ({ length }) => length >= least && length <= most;
  },
  minlength: (argument) => {
    const [least] = wholeArguments(argument, 1, 1);
    return ({ length }) => length >= least;
  },
  maxlength: (argument) => {
    const [most] = wholeArguments(argument, 1, 1);
    return ({ length }) => length <= most;
  },
  min: (argument) => {
    const [least] = wholeArguments(argument, 1, 1);
    return (value) => isWholeText(value) && Number(value) >= least;
  },
  max: (argument) => {
    const [most] = wholeArguments(argument, 1, 1);
    return (value) => isWholeText(value) && Number(value) <= most;
  },
  range: (argument) => {
    const [least, most = least] = wholeArguments(argument, 2, 2);
    return (value) => isWholeText(value) && Number(value) >= least && Number(value) <= most;
  },
  regex: (argument) => {
    const pattern = new RegExp(argument, 'i');
    return (value) => pattern.test(value);
  },
};

/** Throws an Error when there is no such constraint or its argument cannot be used. */
export function createRouteConstraint(name: string, argument: string | undefined): RouteConstraint {
  const known = name.toLowerCase();
  const plain = simple[known];
  if (argument === undefined && plain !== undefined) return plain;
  const create = parametrised[known];
  if (argument !== undefined && create !== undefined) return create(argument);
  throw new Error(`There is no route constraint "${name}"${argument === undefined ? '' : '(…)'}.`);
}

function wholeArguments(argument: string, least: number, most: number): readonly [number, number?] {
  const [first, ...rest] = argument.split(',').map((part) => part.trim());
  const count = rest.length + 1;
  if (
    first === undefined ||
    count < least ||
    count > most ||
    ![first, ...rest].every(isWholeText)
  ) {
    throw new Error(`"${argument}" is not a usable constraint argument.`);
  }
  return rest[0] === undefined ? [Number(first)] : [Number(first), Number(rest[0])];
}

function isWholeText(value: string): boolean {
  return /^[+-]?\d+$/.test(value);
}

function isWhole(value: string, least: bigint, most: bigint): boolean {
  if (!isWholeText(value)) return false;
  const whole = BigInt(value.replace(/^\+/, ''));
  return whole >= least && whole <= most;
}

function isFloat(value: string): boolean {
  return /^[+-]?(\d[\d,]*(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(value);
}
