/** Loads a capability's code when its first step runs: a start should not pay for what is not used. */

import type { Capability, CapabilitySession } from '../../core/ports/capability.ts';

export function lazyCapability(name: string, load: () => Promise<Capability>): Capability {
  let loaded: Promise<Capability> | undefined;
  return {
    name,
    targetless: false,
    begin(step) {
      let session: Promise<CapabilitySession> | undefined;
      const open = async () => {
        loaded ??= load();
        return (await loaded).begin(step);
      };
      return {
        async perform(invocation) {
          session ??= open();
          return (await session).perform(invocation);
        },
        async end() {
          await (await session)?.end();
        },
      };
    },
  };
}
