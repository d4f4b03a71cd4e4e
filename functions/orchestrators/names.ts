/** Names that durable history keeps: renaming one breaks running instances. */

export const executionName = 'execution';
export const turnName = 'turn';

/** The event that wakes a walk waiting at this turn. Always this spelling: case matters to the SDK. */
export { wakeEvent } from '../../core/execution/wake-event.ts';
