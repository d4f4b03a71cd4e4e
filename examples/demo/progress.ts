/** Watches an execution through its report and tells every change of a step as one line. */

import { styleText } from 'node:util';
import type { Report, StepResult } from './api.ts';

export class Progress {
  readonly #startedMs = performance.now();
  readonly #print: (line: string) => void;
  readonly #seen = new Map<string, string>();

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  /** Prints what has changed since the last look, in the order it happened. */
  look({ step_results }: Report): void {
    const changed = Object.entries(step_results).flatMap(([id, step]) => {
      const now = `${step.execution_count} ${step.status}`;
      const isNew = this.#seen.get(id) !== now;
      this.#seen.set(id, now);
      return isNew ? [step] : [];
    });
    // The report lists a step before those inside it, which end first.
    const ended = changed.filter(isOver).reverse();
    const begun = changed.filter((step) => !isOver(step));
    for (const step of [...ended, ...begun].sort(byTime)) this.say(wordOf(step), describe(step));
  }

  say(word: string, text: string): void {
    const seconds = ((performance.now() - this.#startedMs) / 1000).toFixed(2).padStart(6);
    this.#print(`${styleText('dim', `${seconds} s`)}  ${coloured(word.padEnd(7))}  ${text}`);
  }
}

function byTime(left: StepResult, right: StepResult): number {
  return lastChangeMs(left) - lastChangeMs(right);
}

function lastChangeMs(step: StepResult): number {
  return Date.parse(isOver(step) ? step.ended : step.started);
}

function isOver({ status }: StepResult): boolean {
  return status !== 'ongoing';
}

function wordOf({ status, automated_execution }: StepResult): string {
  if (status === 'ongoing') return automated_execution ? 'begins' : 'waits';
  return status === 'successfully_executed' ? 'done' : 'failed';
}

function describe({ name, execution_count, error }: StepResult): string {
  const times = execution_count > 1 ? ` (${execution_count} times)` : '';
  return `${name}${times}${error === undefined ? '' : `: ${error}`}`;
}

/** Plain text where the output is no terminal. */
function coloured(word: string): string {
  switch (word.trim()) {
    case 'done':
      return styleText('green', word);
    case 'failed':
      return styleText('red', word);
    case 'waits':
    case 'answer':
      return styleText('yellow', word);
    default:
      return word;
  }
}
