/** The managed identity of the host as the client's credential. */

type AccessToken = { readonly token: string; readonly expiresOnTimestamp: number };

const MINUTE_MS = 60_000;

/** The identity library is loaded with the first token; it keeps tokens until shortly before they expire. */
export function hostIdentity(): { getToken(scopes: string | string[]): Promise<AccessToken> } {
  return {
    async getToken(scopes) {
      const { ManagedIdentityApplication } = await import('@azure/msal-node');
      const resource = [scopes]
        .flat()
        .join(' ')
        .replace(/\/\.default$/, '');
      const result = await new ManagedIdentityApplication().acquireToken({ resource });
      const expiresOnTimestamp = result.expiresOn?.getTime() ?? Date.now() + MINUTE_MS;
      return { token: result.accessToken, expiresOnTimestamp };
    },
  };
}
