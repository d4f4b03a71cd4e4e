/** Addresses of the management API, as templates for the client binding and for one instance. */
import type { DurableAddress } from '../durable-host.ts';

export type LinkBase = { readonly address: DurableAddress; readonly hubName: string };

/** Text of the `durableClient` binding. Every URL must be a string: the SDK calls replace on all. */
export function clientBinding(base: LinkBase): string {
  const { address, hubName } = base;
  const query = accessQuery(base);
  const create = `${address.webhookBaseUrl}/orchestrators/{functionName}[/{instanceId}]?${query}`;
  return JSON.stringify({
    taskHubName: hubName,
    creationUrls: {
      createNewInstancePostUri: create,
      createAndWaitOnNewInstancePostUri: `${create}&timeout={timeoutInSeconds}&pollingInterval={intervalInSeconds}`,
    },
    managementUrls: instanceLinks(base, 'INSTANCEID'),
    baseUrl: address.webhookBaseUrl,
    requiredQueryStringParameters: query,
    rpcBaseUrl: address.rpcBaseUrl,
  });
}

/** The links of one instance, as answered to a start. They carry the key of the management API. */
export function instanceLinks(base: LinkBase, id: string): Record<string, string> {
  const instance = `${base.address.webhookBaseUrl}/instances/${encodeURIComponent(id)}`;
  const query = accessQuery(base);
  return {
    id,
    statusQueryGetUri: `${instance}?${query}`,
    sendEventPostUri: `${instance}/raiseEvent/{eventName}?${query}`,
    terminatePostUri: `${instance}/terminate?reason={text}&${query}`,
    rewindPostUri: `${instance}/rewind?reason={text}&${query}`,
    suspendPostUri: `${instance}/suspend?reason={text}&${query}`,
    resumePostUri: `${instance}/resume?reason={text}&${query}`,
    purgeHistoryDeleteUri: `${instance}?${query}`,
    restartPostUri: `${instance}/restart?${query}`,
  };
}

function accessQuery(base: LinkBase): string {
  const code = encodeURIComponent(base.address.webhookCode);
  return `taskHub=${encodeURIComponent(base.hubName)}&connection=Storage&code=${code}`;
}
