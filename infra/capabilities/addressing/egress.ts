/**
 * Keeps outgoing connections to where they may go. The address that is connected to is the one that was
 * checked, so a name that resolves differently a moment later cannot slip through.
 */

import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

export type Destination = {
  /** The name or address that was asked for. */
  readonly host: string;
  /** The IP address it resolved to. */
  readonly address: string;
  readonly port: number;
};

/** Answers whether a connection may be made. */
export type EgressPolicy = (destination: Destination) => boolean;

/** Refused by the policy: nothing was connected. */
export class EgressDenied extends Error {
  readonly code = 'EGRESS_DENIED';

  constructor(host: string, port: number) {
    super(`connections to ${host}:${port} are not allowed`);
    this.name = 'EgressDenied';
  }
}

/** Checks a destination that is an address already; names are left to `guardedLookup`. */
export function refusedAddress(
  allows: EgressPolicy,
  host: string,
  port: number,
): EgressDenied | undefined {
  if (isIP(host) === 0 || allows({ host, address: host, port })) return undefined;
  return new EgressDenied(host, port);
}

/** A lookup for `net.connect` and `tls.connect` that only yields addresses the policy allows. */
export function guardedLookup(allows: EgressPolicy, port: number): LookupFunction {
  return (host, options, answer) => {
    resolve(host, { ...options, all: true }, (error, found) => {
      if (error !== null) return answer(error, '');
      const allowed = found.filter(({ address }) => allows({ host, address, port }));
      const [first] = allowed;
      if (first === undefined) return answer(new EgressDenied(host, port), '');
      if (options.all === true) return answer(null, allowed);
      answer(null, first.address, first.family);
    });
  };
}
