/** openc2-http: an OpenC2 consumer over HTTP; http-api with its own result and content type. */

import type { Capability } from '../../../core/ports/capability.ts';
import { createHttpCapability, type HttpCapabilityOptions } from '../http-api/http-capability.ts';

export function createOpenC2HttpCapability(options: HttpCapabilityOptions): Capability {
  const names = {
    body: '__svc_openc2_http_result__',
    status: '__svc_openc2_http_status__',
    headers: '__svc_openc2_http_headers__',
  };
  const contentType = ['Content-Type', 'application/openc2+json;version=1.0'] as const;
  return createHttpCapability(
    { name: 'openc2-http', names, defaultHeaders: [contentType] },
    options,
  );
}
