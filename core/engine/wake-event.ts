/** The event that wakes a walk waiting at this turn; unique to that wait. */
export function wakeEvent(turn: number): string {
  return `wake.${turn}`;
}
