import type { FailureStatus } from '../execution/run.ts';

export type SecretReading =
  | { readonly ok: true; readonly value: string }
  /** `error` is a sentence for the report; it never holds a secret. */
  | { readonly ok: false; readonly status: FailureStatus; readonly error: string };

/** Looks up the secrets that playbooks refer to, at the last moment before they are used. */
export interface SecretVault {
  /** Refuses what is not open to playbooks. Rejects only with the signal's reason. */
  resolve(reference: string, signal: AbortSignal): Promise<SecretReading>;
  /** The secret if it is at hand without asking anybody: for hiding it, not for using it. */
  peek(reference: string): string | undefined;
}
