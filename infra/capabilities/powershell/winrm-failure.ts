/** Why a command could not be carried out over WinRM, in words fit for the report. */

export type WinRmFailureKind =
  /** No connection was ever made: no such name, refused, TLS not trusted. Another address may do. */
  | 'no-connection'
  /** A connection was lost. */
  | 'connection-lost'
  /** The credentials were refused, or no common way to log in. */
  | 'login'
  /** The target understood and said no. */
  | 'fault'
  /** The answer is not WS-Management. */
  | 'garbage'
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
