/** Reads single members out of JSON that others made. */

export type JsonRecord = { readonly [key: string]: unknown };

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member as text; undefined when it is missing, empty or something else. */
export function textMember(value: unknown, key: string): string | undefined {
  const member = isRecord(value) ? value[key] : undefined;
  return typeof member === 'string' && member !== '' ? member : undefined;
}
