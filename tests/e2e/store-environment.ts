/**
 * The end-to-end tests run on each store. Which one is said by E2E_STORE; its server was started by the
 * global set-up, which left the address in the environment.
 */

import { basename } from 'node:path';

/** Settings that put a service on the store under test; services with the same data share a database. */
export function storeEnvironment(dataDirectory: string): Readonly<Record<string, string>> {
  const store = process.env['E2E_STORE'] ?? 'sqlite';
  if (store === 'sqlite') return {};
  const uri = process.env[store === 'mongo' ? 'E2E_MONGO_URI' : 'E2E_COSMOS_URI'];
  if (uri === undefined) throw new Error(`There is no server for the store ${store}.`);
  const common = { DATABASE: 'true', DB_URI: uri, DATABASE_NAME: basename(dataDirectory) };
  if (store === 'mongo') return { ...common, DB_USERNAME: '' };
  // The server's certificate is its own, and any key opens it.
  return { ...common, DB_PASSWORD: btoa('any key'), NODE_TLS_REJECT_UNAUTHORIZED: '0' };
}
