/** Values as JSON text, by the rule of the durable protocol: nothing at all is kept as no text. */

/** Null and undefined become null. Throws on what JSON cannot hold. */
export function toJsonText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return JSON.stringify(value) ?? null;
}

/** The value of a JSON text; null for no text. */
export function fromJsonText(text: string | null): unknown {
  return text === null ? null : JSON.parse(text);
}

/** The value of a text that may be JSON; otherwise the text itself. */
export function fromTextOrJson(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    // Failure and termination reasons are plain text by design.
    return text;
  }
}
