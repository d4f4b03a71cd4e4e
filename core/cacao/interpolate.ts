/**
 * Variable substitution (spec, Execution rules 11): every `<name>:value` of a known variable is replaced.
 *
 * I1  One pass from left to right; inserted values are never looked at again.
 * I2  Undefined variables stay as they are; a variable without value inserts the empty string.
 * I3  Linear in the length of the text, whatever it holds: a name is at most NAME_LIMIT characters and at
 *     most CANDIDATE_LIMIT places inside one run of name characters are tried as its beginning.
 */

/** Answers the value of a variable by its name, `__` included; undefined when there is no such variable. */
export type Lookup = (name: string) => string | undefined;

const MARK = ':value';
const NAME_LIMIT = 256;
const CANDIDATE_LIMIT = 32;
const SHORTEST_NAME = '__x__'.length;

/** Replaces every `<name>:value` for which `lookup` knows a value. */
export function interpolate(text: string, lookup: Lookup): string {
  let result = '';
  let done = 0;
  for (let mark = text.indexOf(MARK); mark !== -1; mark = text.indexOf(MARK, mark + MARK.length)) {
    for (const start of nameStarts(text, done, mark)) {
      const value = lookup(text.slice(start, mark));
      if (value === undefined) continue;
      result += text.slice(done, start) + value;
      done = mark + MARK.length;
      break;
    }
  }
  return done === 0 ? text : result + text.slice(done);
}

/**
 * The names a text may refer to, one list per `:value`, longest first: in `__a__b__:value` both
 * `__a__b__` and `__b__` are possible, and the first one known is meant.
 */
export function possibleNames(text: string): readonly (readonly string[])[] {
  const references: string[][] = [];
  for (let mark = text.indexOf(MARK); mark !== -1; mark = text.indexOf(MARK, mark + MARK.length)) {
    const names = nameStarts(text, 0, mark).map((start) => text.slice(start, mark));
    if (names.length > 0) references.push(names);
  }
  return references;
}

/** Where a name ending at `mark` may begin, leftmost first, not before `from`. */
function nameStarts(text: string, from: number, mark: number): readonly number[] {
  if (!text.startsWith('__', mark - 2) || mark - 2 < from) return [];
  const starts: number[] = [];
  const limit = Math.max(from, mark - NAME_LIMIT);
  for (let at = mark - 1; at >= limit && isNameCharacter(text.charCodeAt(at)); at -= 1) {
    if (at > mark - SHORTEST_NAME || !text.startsWith('__', at)) continue;
    starts.push(at);
    if (starts.length === CANDIDATE_LIMIT) break;
  }
  return starts.reverse();
}

/** Letters, digits and `_-.$`; the standard allows fewer, results of capabilities bring dots. */
function isNameCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45 ||
    code === 46 ||
    code === 36
  );
}
