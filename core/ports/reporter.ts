import type { Run, StepRecord } from '../execution/run.ts';

/** What reporters are told, in order, after it has been recorded in the store. */
export type RunEvent =
  | { readonly kind: 'execution-started'; readonly run: Run }
  | { readonly kind: 'step-started' | 'step-ended'; readonly run: Run; readonly step: StepRecord }
  | { readonly kind: 'execution-ended'; readonly run: Run };

/** A downstream reporter. What it does with an event never delays or fails an execution. */
export interface Reporter {
  readonly name: string;
  /** Must not throw and must return at once; slow work is queued inside. */
  report(event: RunEvent): void;
}
