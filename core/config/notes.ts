/** Collects what is wrong with a configuration, so that one start shows all of it. */

import type { ConfigWarning } from './config.ts';

export class Notes {
  readonly #problems: string[] = [];
  readonly #warnings: ConfigWarning[] = [];

  /** The service must not start like this. */
  problem(variable: string, text: string): void {
    this.#problems.push(`${variable}: ${text}`);
  }

  /** The service starts, and the people who run it should know. */
  warn(variable: string, text: string): void {
    this.#warnings.push({ variable, text });
  }

  get problems(): readonly string[] {
    return this.#problems;
  }

  get warnings(): readonly ConfigWarning[] {
    return this.#warnings;
  }
}
