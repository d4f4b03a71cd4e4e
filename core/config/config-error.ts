/** Stops the start. The message names every variable that is wrong, one line each, and no secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration is not valid.\n${problems.map((line) => `  ${line}`).join('\n')}`);
    this.problems = problems;
  }
}
