/** What steps can be carried out with: native capabilities, fins, and what both need. */

import type { Config } from '../../core/config/config.ts';
import { CapabilityTable } from '../../core/execution/capability-table.ts';
import type { FinGateway } from '../../core/fins/fin-gateway.ts';
import type { FinStore } from '../../core/ports/fin-store.ts';
import type { KeyStore } from '../../core/ports/key-store.ts';
import type { Log, SecurityLog } from '../../core/ports/log.ts';
import type { EgressPolicy } from '../../infra/capabilities/addressing/egress.ts';
import { nativeCapabilities } from '../../infra/capabilities/native-capabilities.ts';
import { FileKeyStore } from '../../infra/keys/file-key-store.ts';
import { randomIds, systemClock } from '../../infra/process/system-clock.ts';

export type Capabilities = {
  readonly table: CapabilityTable;
  /** Undefined while key management is off. */
  readonly keys: KeyStore | undefined;
  /** Undefined while fins are off. */
  readonly fins: FinGateway | undefined;
};

export type CapabilityParts = {
  readonly finStore: FinStore;
  readonly allows: EgressPolicy;
  readonly log: Log;
  readonly securityLog: SecurityLog;
};

export async function openCapabilities(
  config: Config,
  { finStore, allows, log, securityLog }: CapabilityParts,
): Promise<Capabilities> {
  const { agentPrefixes, ssh } = config.capabilities;
  const clock = systemClock;
  const keys = ssh.keys && new FileKeyStore({ ...ssh.keys, clock });
  if (keys !== undefined) await reportUnusableKeys(keys, log);
  const fins = await openFinGateway(config, { finStore, log, securityLog });
  const native = nativeCapabilities({
    config: config.capabilities,
    keys,
    allows,
    clock,
    log: log.child('capability'),
  });
  return { table: new CapabilityTable(native, agentPrefixes, fins?.directory), keys, fins };
}

async function openFinGateway(
  { fins, capabilities: { agentPrefixes } }: Config,
  { finStore, log, securityLog }: Omit<CapabilityParts, 'allows'>,
): Promise<FinGateway | undefined> {
  if (fins === undefined) return undefined;
  const { openFins } = await import('../../infra/fins/open-fins.ts');
  return openFins(fins, {
    store: finStore,
    clock: systemClock,
    ids: randomIds,
    log: log.child('fins'),
    securityLog,
    agentPrefixes,
  });
}

/** A directory that cannot be read now may be there later; steps that need a key then say so. */
async function reportUnusableKeys(keys: KeyStore, log: Log): Promise<void> {
  try {
    const { problems } = await keys.refresh();
    for (const { name, reason } of problems) log.warning('keys.unusable', { key: name, reason });
  } catch (error) {
    log.warning('keys.unreadable', { error });
  }
}
