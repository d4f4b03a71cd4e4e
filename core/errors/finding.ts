/** One problem of a document. Errors refuse it; warnings only tell its author. */
export type Finding = {
  /** Id of the rule that was broken. */
  readonly rule: string;
  readonly severity: 'error' | 'warning';
  /** JSON pointer (RFC 6901) to the place. */
  readonly pointer: string;
  readonly message: string;
};
