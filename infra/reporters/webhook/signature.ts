/**
 * Proves to a receiver that a body comes from this service and when: `t=<unix seconds>,v1=<hex>`, where v1
 * is the HMAC-SHA256 of `<t>.<body>` under the shared secret. The receiver compares in constant time and
 * refuses times long past.
 */

import { createHmac } from 'node:crypto';

export const signatureHeader = 'X-Theobroma-Signature';

export function sign(body: Uint8Array, secret: string, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1_000);
  const mac = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
  return `t=${seconds},v1=${mac}`;
}
