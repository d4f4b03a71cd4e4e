/** A piece of awaited work in a replay of actions. At most one party waits for it. */
export type Step = { done: boolean; whenDone: (() => void) | undefined };

export function pendingStep(): Step {
  return { done: false, whenDone: undefined };
}

export function finishedStep(): Step {
  return { done: true, whenDone: undefined };
}

export function settle(step: Step): void {
  step.done = true;
  step.whenDone?.();
}

/** Finished when all children are, or at the first one. */
export function joinSteps(children: readonly Step[], kind: 'all' | 'any'): Step {
  const step = pendingStep();
  let missing = kind === 'all' ? children.length : 1;
  for (const child of children) {
    if (child.done) missing -= 1;
    else
      child.whenDone = () => {
        missing -= 1;
        if (missing === 0) settle(step);
      };
  }
  step.done = missing <= 0;
  return step;
}
