/** From the configuration to the one who tells callers apart. */

import { type Access, openAccess } from '../../core/access/permissions.ts';
import type { AccessConfig } from '../../core/config/config.ts';
import type { AccessParts } from './access-parts.ts';

/** Starts without the identity provider; asks it when the first token comes. */
export async function createAccess(
  config: AccessConfig | undefined,
  parts: AccessParts,
): Promise<Access> {
  if (config === undefined) return openAccess;
  // A service without authentication need not load what verifies tokens.
  const { TokenAccess } = await import('./token-access.ts');
  return new TokenAccess(config, parts);
}
