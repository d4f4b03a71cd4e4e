/**
 * Access tokens by client credentials, from any token endpoint, and by managed identity. The identity
 * library is loaded when the first token is needed; it keeps tokens until shortly before they expire.
 */

import { createHash } from 'node:crypto';
import type { ConfidentialClientApplication } from '@azure/msal-node';
import type { EgressPolicy } from '../addressing/egress.ts';
import { untilAborted } from '../http-api/until-aborted.ts';
import { createMsalNetwork, type MsalNetwork } from './msal-network.ts';
import type { ClientCredentialsGrant, ManagedIdentityGrant } from './token-grant.ts';
import type { TokenReading, TokenSource } from './token-source.ts';

export type MsalTokenSourceOptions = {
  /** Accept any TLS certificate of a token endpoint. */
  readonly skipCertificateCheck: boolean;
  /**
   * What playbooks may ask the host's own identity for. Default nothing: every author of a playbook could
   * use it.
   */
  readonly managedIdentityResources?: readonly string[];
  /** Longest wait for a token endpoint. Default 30,000. */
  readonly requestTimeoutMs?: number;
  /** Where token endpoints may be that a playbook names; anywhere by default. */
  readonly allows?: EgressPolicy;
};

type Client = {
  readonly application: ConfidentialClientApplication;
  readonly network: MsalNetwork;
};

/** Clients whose tokens are kept; the one not used for longest makes room. */
const MAX_CLIENTS = 100;

export function createMsalTokenSource(options: MsalTokenSourceOptions): TokenSource {
  const clients = new Map<string, Client>();

  async function clientFor(grant: ClientCredentialsGrant): Promise<Client> {
    const key = keyOf(grant);
    const client = clients.get(key) ?? (await createClient(grant, networkOf(options)));
    clients.delete(key);
    clients.set(key, client);
    for (const oldest of clients.keys()) {
      if (clients.size <= MAX_CLIENTS) break;
      clients.delete(oldest);
    }
    return client;
  }

  return {
    async acquire(grant, signal) {
      if (grant.kind === 'managed-identity') return byManagedIdentity(grant, options, signal);
      const { application, network } = await clientFor(grant);
      const scopes = [...grant.scopes];
      const asked = () => application.acquireTokenByClientCredential({ scopes });
      const reading = await ask(asked, network, signal);
      if (reading.ok) return reading;
      return { ...reading, reason: reading.reason.replaceAll(grant.clientSecret, '***') };
    },
    forget(grant) {
      if (grant.kind === 'client-credentials') clients.delete(keyOf(grant));
    },
  };
}

/** The library's own cache does not look at the secret: a wrong one must not get another's token. */
function keyOf({ tokenUrl, clientId, clientSecret }: ClientCredentialsGrant): string {
  const parts = JSON.stringify([tokenUrl.href, clientId, clientSecret]);
  return createHash('sha256').update(parts).digest('base64');
}

/** The endpoint is given, so no discovery document is fetched. */
async function createClient(grant: ClientCredentialsGrant, network: MsalNetwork): Promise<Client> {
  const { ConfidentialClientApplication, ProtocolMode } = await import('@azure/msal-node');
  const { tokenUrl, clientId, clientSecret } = grant;
  const authority = new URL('.', tokenUrl).href;
  const application = new ConfidentialClientApplication({
    auth: {
      clientId,
      clientSecret,
      authority,
      knownAuthorities: [tokenUrl.host],
      authorityMetadata: JSON.stringify({
        issuer: authority,
        token_endpoint: tokenUrl.href,
        authorization_endpoint: tokenUrl.href,
        jwks_uri: tokenUrl.href,
      }),
    },
    system: {
      networkClient: network,
      protocolMode: ProtocolMode.OIDC,
      disableInternalRetries: true,
    },
  });
  return { application, network };
}

async function byManagedIdentity(
  { resource, clientId }: ManagedIdentityGrant,
  options: MsalTokenSourceOptions,
  signal: AbortSignal,
): Promise<TokenReading> {
  if (!options.managedIdentityResources?.includes(resource)) {
    const reason = `Playbooks may not use the identity of the host for ${resource}.`;
    return { ok: false, status: 'client_side_error', reason };
  }
  const { ManagedIdentityApplication } = await import('@azure/msal-node');
  // The platform's own endpoint, often link-local; no playbook can lead this elsewhere.
  const { allows: _forPlaybooks, ...unguarded } = options;
  const network = networkOf(unguarded);
  const asked = () =>
    new ManagedIdentityApplication({
      ...(clientId === undefined
        ? {}
        : { managedIdentityIdParams: { userAssignedClientId: clientId } }),
      system: { networkClient: network, disableInternalRetries: true },
    }).acquireToken({ resource });
  return ask(asked, network, signal);
}

async function ask(
  asked: () => Promise<{ readonly accessToken: string } | null>,
  network: MsalNetwork,
  signal: AbortSignal,
): Promise<TokenReading> {
  try {
    const result = await untilAborted(asked(), signal);
    if (result !== null && result.accessToken !== '')
      return { ok: true, token: result.accessToken };
    return refused('the answer holds none');
  } catch (error) {
    if (signal.aborted) throw error;
    return refused(network.takeProblem() ?? (error instanceof Error ? error.message : `${error}`));
  }
}

function refused(reason: string): TokenReading {
  const sentence = `No access token was given: ${reason.replace(/\.$/, '')}.`;
  return { ok: false, status: 'failed', reason: sentence };
}

function networkOf(options: MsalTokenSourceOptions): MsalNetwork {
  const { skipCertificateCheck, requestTimeoutMs = 30_000, allows } = options;
  return createMsalNetwork({
    skipCertificateCheck,
    requestTimeoutMs,
    connectTimeoutMs: requestTimeoutMs,
    ...(allows === undefined ? {} : { allows }),
  });
}
