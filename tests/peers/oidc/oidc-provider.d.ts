/** As much of the package's surface as the tests use; it comes without types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  export class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>);
    callback(): RequestListener;
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<{
      readonly prompt: { readonly name: string };
      readonly params: { readonly client_id: string; readonly scope: string };
      readonly session?: { readonly accountId: string };
    }>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Readonly<Record<string, unknown>>,
    ): Promise<void>;
    readonly Grant: new (of: {
      readonly accountId: string;
      readonly clientId: string;
    }) => { addOIDCScope(scope: string): void; save(): Promise<string> };
  }
}
