/** Ports of targets and commands: playbooks write them as text or as a number, or leave them blank. */

export type PortReading =
  /** `port` is undefined where none was given. */
  | { readonly ok: true; readonly port: number | undefined }
  | { readonly ok: false; readonly reason: string };

/** Accepts 1 to 65535 in decimal digits; blank means not given. */
export function readPort(given: string | number | undefined): PortReading {
  const text = String(given ?? '').trim();
  if (text === '') return { ok: true, port: undefined };
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return { ok: true, port };
  return { ok: false, reason: `The port must be a number from 1 to 65535, not "${text}".` };
}
