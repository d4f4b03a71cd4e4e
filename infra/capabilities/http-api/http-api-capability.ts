/** http-api: any HTTP endpoint. */

import type { Capability } from '../../../core/ports/capability.ts';
import { createHttpCapability, type HttpCapabilityOptions } from './http-capability.ts';

export function createHttpApiCapability(options: HttpCapabilityOptions): Capability {
  const names = {
    body: '__svc_http_api_result__',
    status: '__svc_http_api_status__',
    headers: '__svc_http_api_headers__',
  };
  return createHttpCapability({ name: 'http-api', names, defaultHeaders: [] }, options);
}
