/** The host cannot start for a reason a person can remove. The message is one sentence that names it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The app's own code threw while it loaded; its `cause` is what it threw. */
export class AppFailed extends StartError {}
