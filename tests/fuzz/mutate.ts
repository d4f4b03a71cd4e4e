/** Breaks valid playbooks in seeded ways: what authors get wrong, what exporters lose, what attackers try. */

import type { JsonObject, JsonValue } from '../../core/json.ts';
import type { Random } from '../support/random.ts';

type Holder = JsonValue[] | { [member: string]: JsonValue };
type Place = { readonly holder: Holder; readonly key: string | number };

/** The text of a request body: a playbook with one to four things changed, seldom not even JSON. */
export function mutated(playbook: JsonObject, random: Random): string {
  const copy = JSON.parse(JSON.stringify(playbook)) as { [member: string]: JsonValue };
  for (let change = random.between(1, 4); change > 0; change -= 1) {
    const places = placesIn(copy);
    const place = places[random.between(0, places.length - 1)];
    if (place !== undefined) random.pick(changes)(place, random, places);
  }
  const text = JSON.stringify(copy);
  return random.next() < 0.05 ? garbled(text, random) : text;
}

type Change = (place: Place, random: Random, places: readonly Place[]) => void;

const changes: readonly [Change, ...Change[]] = [
  remove,
  remove,
  ({ holder, key }, random) => set(holder, key, copyOf(random.pick(strangers))),
  ({ holder, key }, random) => set(holder, key, copyOf(random.pick(strangers))),
  // A value of the same playbook at the wrong place; ids among them.
  ({ holder, key }, random, places) => {
    const other = places[random.between(0, places.length - 1)];
    if (other !== undefined) set(holder, key, copyOf(get(other.holder, other.key)));
  },
  ({ holder, key }, random) => {
    if (Array.isArray(holder)) return;
    holder[random.pick(names)] = copyOf(get(holder, key));
  },
  ({ holder, key }, random) => {
    if (Array.isArray(holder)) holder.push(...holder.map(copyOf));
    else {
      set(holder, random.pick(names), get(holder, key));
      remove({ holder, key });
    }
  },
  ({ holder, key }, random) => {
    const value = get(holder, key);
    if (typeof value === 'string') set(holder, key, garbled(value, random));
    if (typeof value === 'number') set(holder, key, -value);
  },
  ({ holder, key }, random) => set(holder, key, nested(random.between(1, 80))),
];

/** Values of every type and size that have broken somebody's parser. */
const strangers: readonly [JsonValue, ...JsonValue[]] = [
  null,
  '',
  0,
  -1,
  1e308,
  0.1,
  2 ** 53,
  true,
  false,
  [],
  {},
  [[]],
  'x'.repeat(20_000),
  '\ud800',
  'ｆｕｌｌ＿ｗｉｄｔｈ\u0000\u202e',
  '__proto__',
  'constructor',
  '__a__:value',
  "'a' = 'a",
  'action--00000000-0000-4000-8000-000000000000',
  'http://127.0.0.1:9/%zz?#',
  'GET',
  'GET /\r\nX-Injected: 1 HTTP/1.1',
  '2026-13-45T99:99:99Z',
  ['a', 1, null, { a: [] }],
];

const names: readonly [string, ...string[]] = [
  '__proto__',
  'constructor',
  'toString',
  'x-unknown',
  'type',
  'id',
  'on_completion',
  'next_steps',
  '__bad name__',
  '',
];

function placesIn(root: JsonValue): readonly Place[] {
  const places: Place[] = [];
  const walk = (value: JsonValue) => {
    if (typeof value !== 'object' || value === null) return;
    const holder = value as Holder;
    const keys = Array.isArray(holder) ? [...holder.keys()] : Object.keys(holder);
    for (const key of keys) {
      places.push({ holder, key });
      walk(get(holder, key));
    }
  };
  walk(root);
  return places;
}

function get(holder: Holder, key: string | number): JsonValue {
  return (Array.isArray(holder) ? holder[Number(key)] : holder[key]) ?? null;
}

/** Defines, so that a member called `__proto__` becomes one. */
function set(holder: Holder, key: string | number, value: JsonValue): void {
  const member = { value, writable: true, enumerable: true, configurable: true };
  Object.defineProperty(holder, key, member);
}

function remove({ holder, key }: Place): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

function copyOf(value: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}

function nested(levels: number): JsonValue {
  let value: JsonValue = 'deep';
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

function garbled(text: string, random: Random): string {
  const at = random.between(0, text.length);
  const other = String.fromCharCode(random.between(0, 0xd7ff));
  return random.pick([
    text.slice(0, at),
    text.slice(0, at) + other + text.slice(at),
    text.slice(0, at) + text.slice(at + 1),
    `\uFEFF${text}`,
  ]);
}
