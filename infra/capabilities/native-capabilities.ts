/** The capabilities of this installation. Adding one is a folder and a line in the list. */

import type { CapabilityConfig } from '../../core/config/config.ts';
import type { Capability } from '../../core/ports/capability.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { KeyStore } from '../../core/ports/key-store.ts';
import type { Log } from '../../core/ports/log.ts';
import type { EgressPolicy } from './addressing/egress.ts';
import { lazyCapability } from './lazy-capability.ts';
import type { TokenSource } from './oauth2/token-source.ts';

export type CapabilityParts = {
  readonly config: CapabilityConfig;
  /** Undefined while key management is off. */
  readonly keys: KeyStore | undefined;
  /** Where the connections of playbooks may go. */
  readonly allows: EgressPolicy;
  readonly clock: Clock;
  readonly log: Log;
};

export function nativeCapabilities(parts: CapabilityParts): readonly Capability[] {
  const { config, keys, allows, clock, log } = parts;
  const skipCertificateCheck = config.skipCertValidation;

  let tokens: TokenSource | undefined;
  const http = async () => {
    const { createMsalTokenSource } = await import('./oauth2/msal-token-source.ts');
    tokens ??= createMsalTokenSource({ skipCertificateCheck, allows });
    return { skipCertificateCheck, tokens, allows };
  };
  const ssh = lazyCapability('ssh', async () => {
    const { createSshCapability } = await import('./ssh/ssh-capability.ts');
    const { hostKeyPolicy, knownHostsFile } = config.ssh;
    return createSshCapability({
      keys,
      hostKeyPolicy,
      knownHostsPath: knownHostsFile,
      log,
      allows,
    });
  });

  return [
    ssh,
    lazyCapability('http-api', async () => {
      const { createHttpApiCapability } = await import('./http-api/http-api-capability.ts');
      return createHttpApiCapability(await http());
    }),
    lazyCapability('openc2-http', async () => {
      const { createOpenC2HttpCapability } = await import(
        './openc2-http/openc2-http-capability.ts'
      );
      return createOpenC2HttpCapability(await http());
    }),
    lazyCapability('powershell', async () => {
      const { createPowershellCapability } = await import('./powershell/powershell-capability.ts');
      return createPowershellCapability({ skipCertificateCheck, clock, overSsh: ssh, allows });
    }),
    lazyCapability('caldera-cmd', async () => {
      const { createCalderaCapability } = await import('./caldera-cmd/caldera-capability.ts');
      return createCalderaCapability({ server: config.caldera, skipCertificateCheck, allows });
    }),
  ];
}
