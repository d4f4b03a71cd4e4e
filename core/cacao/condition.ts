/**
 * Reads the condition of an if or while step.
 *
 *   condition := ws* operand ws+ operator ws+ operand ws*
 *   operand   := quoted | bare
 *   quoted    := "'" ( any character except "'" and "\" | "\'" | "\\" )* "'"
 *   bare      := one or more characters that are not white space
 *   operator  := "=" | "!=" | ">" | "<" | ">=" | "<=" | "IN"
 *
 * The text is split before any variable is inserted, so a value can never break the parse; the escapes of a
 * literal are undone here, before insertion, so the backslashes of a value are never touched.
 */

export const operators = ['=', '!=', '>', '<', '>=', '<=', 'IN'] as const;
export type Operator = (typeof operators)[number];

/** `left` and `right` are unquoted and unescaped, their variables not yet inserted. */
export type Condition = {
  readonly kind: 'condition';
  readonly left: string;
  readonly operator: Operator;
  readonly right: string;
};

/** `reason` is a sentence that names the condition. */
export type ConditionError = { readonly kind: 'condition-error'; readonly reason: string };

type Token = { readonly text: string; readonly quoted: boolean };

/** Reads a condition; never throws. */
export function parseCondition(text: string): Condition | ConditionError {
  if (text.trimStart().startsWith('[')) {
    return refuse(text, 'STIX patterns in square brackets are not supported');
  }
  const tokens = tokenise(text);
  if (typeof tokens === 'string') return refuse(text, tokens);
  const [left, middle, right, ...rest] = tokens;
  if (left === undefined) return refuse(text, 'it is empty');
  if (middle === undefined || right === undefined || rest.length > 0) {
    return refuse(text, "one comparison such as __name__:value = 'text' is expected");
  }
  const operator = middle.quoted ? undefined : operators.find((known) => known === middle.text);
  if (operator === undefined) {
    return refuse(text, `${JSON.stringify(middle.text)} is not one of ${operators.join(' ')}`);
  }
  return { kind: 'condition', left: left.text, operator, right: right.text };
}

function refuse(text: string, why: string): ConditionError {
  const shown = JSON.stringify(text.length > 120 ? `${text.slice(0, 117)}...` : text);
  return {
    kind: 'condition-error',
    reason: `The condition ${shown} cannot be evaluated: ${why.slice(0, 200)}.`,
  };
}

/** The tokens, at most four because three are allowed; or why the text has none. */
function tokenise(text: string): readonly Token[] | string {
  const tokens: Token[] = [];
  let at = skipSpace(text, 0);
  while (at < text.length && tokens.length < 4) {
    const end = text[at] === "'" ? endOfQuoted(text, at) : endOfBare(text, at);
    if (end === undefined) return 'a quote is not closed';
    if (end < text.length && !isSpace(text[end]))
      return 'a quoted text must be followed by a blank';
    const quoted = text[at] === "'";
    tokens.push({
      quoted,
      text: quoted ? withoutEscapes(text.slice(at + 1, end - 1)) : text.slice(at, end),
    });
    at = skipSpace(text, end);
  }
  return tokens;
}

function endOfQuoted(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "'") return at + 1;
    if (text[at] === '\\') {
      if (text[at + 1] !== "'" && text[at + 1] !== '\\') return undefined;
      at += 1;
    }
  }
  return undefined;
}

function endOfBare(text: string, start: number): number {
  let at = start;
  while (at < text.length && !isSpace(text[at])) at += 1;
  return at;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && isSpace(text[at])) at += 1;
  return at;
}

function isSpace(character: string | undefined): boolean {
  return character !== undefined && /\s/u.test(character);
}

function withoutEscapes(text: string): string {
  return text.replace(/\\(['\\])/g, '$1');
}
