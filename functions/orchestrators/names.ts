/** Names that durable history keeps: renaming one breaks running instances. */

export const executionName = 'execution';
export const turnName = 'turn';
