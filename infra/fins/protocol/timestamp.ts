/** Timestamps of the protocol: ISO 8601 with six decimals and an offset, as Python writes them. */

/** `us` counts microseconds since the epoch. */
export function encodeTimestamp(us: number): string {
  const ms = Math.floor(us / 1_000);
  const rest = String(us % 1_000).padStart(3, '0');
  return `${new Date(ms).toISOString().slice(0, -1)}${rest}+00:00`;
}

/** Microseconds since the epoch; undefined for what is no timestamp. */
export function decodeTimestamp(text: string): number | undefined {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) return undefined;
  const decimals = /\.(\d+)/.exec(text)?.[1] ?? '';
  return ms * 1_000 + Number(decimals.slice(3, 6).padEnd(3, '0'));
}
