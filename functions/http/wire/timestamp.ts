/** RFC 3339, UTC, milliseconds. What has not happened yet is the zero timestamp: typed clients parse it. */
export function toTimestamp(atMs: number | undefined): string {
  return atMs === undefined ? '0001-01-01T00:00:00Z' : new Date(atMs).toISOString();
}
