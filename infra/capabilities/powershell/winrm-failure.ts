/** Why a command could not be carried out over WinRM, in words fit for the report. */

export type WinRmFailureKind =
  /** No connection, no such name, TLS refused, connection lost. */
  | 'unreachable'
  /** The credentials were refused, or no common way to log in. */
  | 'login'
  /** The target understood and said no. */
  | 'fault'
  /** The answer is not WS-Management. */
  | 'garbage'
  /** No answer in the time a request is given. */
  | 'silence'
  /** More output than is taken. */
  | 'too-much';

/** Thrown inside this capability only; `perform` turns it into a failed outcome. */
export class WinRmFailure extends Error {
  readonly kind: WinRmFailureKind;
  /** The Windows error code of a fault. */
  readonly code: string | undefined;

  constructor(kind: WinRmFailureKind, message: string, code?: string) {
    super(message);
    this.name = 'WinRmFailure';
    this.kind = kind;
    this.code = code;
  }
}
