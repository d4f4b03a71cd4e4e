/**
 * Sizes the cloud back ends can carry. What would be slow there is warned about here, and what
 * would be refused there is refused here, so that it is noticed before deployment.
 */

/** Azure Storage moves larger messages to blobs, which is slow. */
const warnSizeBytes = 45 * 1024;
/** The Durable Task Scheduler refuses larger inputs, outputs and events. */
const maxSizeBytes = 1024 * 1024;
/** Custom status is measured in UTF-16, two bytes a unit. */
export const maxCustomStatusBytes = 16 * 1024;

/** Size as the scheduler counts it. */
export function sizeInBytes(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** The reason why a text is refused, or undefined. `what` begins the sentence. */
export function refuseSize(what: string, text: string | null): string | undefined {
  // No UTF-16 unit takes more than three bytes in UTF-8: most texts need no counting.
  if (text === null || text.length * 3 <= maxSizeBytes) return undefined;
  const size = sizeInBytes(text);
  return size > maxSizeBytes
    ? `${what} has ${size} bytes; the limit is ${maxSizeBytes}.`
    : undefined;
}

/** Whether a text is large enough to be warned about. */
export function isLarge(text: string | null): boolean {
  return text !== null && text.length * 3 > warnSizeBytes && sizeInBytes(text) > warnSizeBytes;
}
