/** The capabilities of this installation; adding one is a folder and a line here. */

import type { CapabilityConfig } from '../../core/config/config.ts';
import type { Capability } from '../../core/ports/capability.ts';
import { createHttpApiCapability } from './http-api/http-api-capability.ts';

export function nativeCapabilities(config: CapabilityConfig): readonly Capability[] {
  const web = { skipCertificateCheck: config.skipCertValidation };
  return [createHttpApiCapability(web)];
}
