/**
 * Parses NCRONTAB, the schedule notation of timer triggers: six fields
 * `second minute hour day month day-of-week`, or five without the second, which is then 0.
 * Unlike in cron, a day must match both the day and the day of the week.
 */

export type Schedule = {
  readonly seconds: ReadonlySet<number>;
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  /** January is 1. */
  readonly months: ReadonlySet<number>;
  /** Sunday is 0. */
  readonly weekdays: ReadonlySet<number>;
};

type Field = {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  /** Short names of the values, in order, beginning with `least`. */
  readonly names?: readonly string[];
};

const fields = {
  second: { name: 'second', least: 0, most: 59 },
  minute: { name: 'minute', least: 0, most: 59 },
  hour: { name: 'hour', least: 0, most: 23 },
  day: { name: 'day', least: 1, most: 31 },
  month: {
    name: 'month',
    least: 1,
    most: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  weekday: {
    name: 'day of the week',
    least: 0,
    most: 6,
    names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
  },
} as const satisfies Readonly<Record<string, Field>>;

/** Throws an Error that names the field it does not understand. */
export function parseNcrontab(text: string): Schedule {
  const parts = text.trim().split(/\s+/);
  if (parts.length !== 5 && parts.length !== 6) {
    throw new Error(`A schedule has five or six fields; "${text}" has ${parts.length}.`);
  }
  const [second = '', minute = '', hour = '', day = '', month = '', weekday = ''] =
    parts.length === 5 ? ['0', ...parts] : parts;
  return {
    seconds: parseField(second, fields.second),
    minutes: parseField(minute, fields.minute),
    hours: parseField(hour, fields.hour),
    days: parseField(day, fields.day),
    months: parseField(month, fields.month),
    weekdays: parseField(weekday, fields.weekday),
  };
}

function parseField(text: string, field: Field): ReadonlySet<number> {
  return new Set(text.split(',').flatMap((part) => parsePart(part, field)));
}

// `*`, `5`, `1-5`, and each with a step: `*/10`, `5/10` (from 5 on), `10-40/15`.
function parsePart(part: string, field: Field): readonly number[] {
  const [, range = '', step] = /^([^/]+)(?:\/(\d+))?$/.exec(part) ?? [];
  const every = step === undefined ? 1 : Number(step);
  const [first, last] = parseRange(range, field, step !== undefined);
  if (first === undefined || last === undefined || first > last || every === 0) {
    throw new Error(`"${part}" is not a ${field.name} from ${field.least} to ${field.most}.`);
  }
  const count = Math.floor((last - first) / every) + 1;
  return Array.from({ length: count }, (_none, index) => first + index * every);
}

function parseRange(
  range: string,
  field: Field,
  hasStep: boolean,
): readonly [number | undefined, number | undefined] {
  if (range === '*') return [field.least, field.most];
  const ends = range.split('-');
  if (ends.length > 2) return [undefined, undefined];
  const [first, last] = ends.map((end) => parseValue(end, field));
  return [first, ends.length === 2 ? last : hasStep ? field.most : first];
}

function parseValue(text: string, field: Field): number | undefined {
  const named = field.names?.indexOf(text.slice(0, 3).toLowerCase()) ?? -1;
  if (named >= 0 && /^[a-z]{3,9}$/i.test(text)) return field.least + named;
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return value >= field.least && value <= field.most ? value : undefined;
}
