/** Where capabilities get access tokens from. */

import type { FailureStatus } from '../../../core/execution/run.ts';
import type { TokenGrant } from './token-grant.ts';

export type TokenReading =
  | { readonly ok: true; readonly token: string }
  /** `reason` never holds a secret. */
  | { readonly ok: false; readonly status: FailureStatus; readonly reason: string };

/** Shared by all sessions: a token is asked for once and kept until shortly before it expires. */
export interface TokenSource {
  /** Rejects only with the signal's reason. */
  acquire(grant: TokenGrant, signal: AbortSignal): Promise<TokenReading>;
  /** A target did not accept the token: the next `acquire` asks for a new one. */
  forget(grant: TokenGrant): void;
}
