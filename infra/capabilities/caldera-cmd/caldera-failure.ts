/** Why Caldera could not do what a command asks, in words fit for the report. */

import type { FailureStatus } from '../../../core/execution/run.ts';

/** Thrown inside this capability only; `perform` turns it into a failed outcome. */
export class CalderaFailure extends Error {
  readonly status: FailureStatus;
  /** Asking again may help: the server was away or busy. */
  readonly transient: boolean;

  constructor(status: FailureStatus, message: string, transient = false) {
    super(message);
    this.name = 'CalderaFailure';
    this.status = status;
    this.transient = transient;
  }
}
