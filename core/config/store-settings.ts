/** Where playbooks and executions are kept: a SQLite file here, or an external database. */

import type { StoreConfig } from './config.ts';
import { anyText, flag, path, trustedUrl } from './kinds.ts';
import type { Notes } from './notes.ts';
import { optional, setting, type ValuesOf } from './variable.ts';

const weakPassword = 'rootpassword';

export const storeVariables = {
  // Not lenient: falling back would keep runs in a place nobody backs up.
  DATABASE: setting(
    flag,
    false,
    'Run with an external database. Otherwise everything is kept in a SQLite file under DATA_DIR.',
  ),
  DATA_DIR: setting(
    path,
    './data',
    'Directory of the SQLite files and other state of the embedded host.',
  ),
  DB_URI: setting(
    anyText,
    'mongodb://localhost:27017',
    'Address of the database. mongodb:// and mongodb+srv:// speak to MongoDB and compatible servers (Cosmos DB for MongoDB too), https:// to Cosmos DB for NoSQL. Credentials inside the URI win over the next variables.',
    { secret: true, partOf: 'DATABASE' },
  ),
  DATABASE_NAME: setting(anyText, 'svc', 'Name of the database.', { partOf: 'DATABASE' }),
  DB_USERNAME: setting(anyText, 'root', 'Database user; empty means none. MongoDB only.', {
    partOf: 'DATABASE',
    emptyCounts: true,
  }),
  DB_PASSWORD: optional(
    anyText,
    'Password of the database user; for Cosmos DB for NoSQL the account key (unset: the managed identity).',
    { secret: true, partOf: 'DATABASE', shownDefault: 'a weak one; change it' },
  ),
};

export function storeConfig(
  values: ValuesOf<typeof storeVariables>,
  onAzure: boolean,
  notes: Notes,
): StoreConfig {
  if (!values.DATABASE) {
    if (onAzure) notes.problem('DATABASE', sqliteOnAzure);
    return { kind: 'sqlite', directory: values.DATA_DIR };
  }
  const uri = values.DB_URI;
  if (/^mongodb(\+srv)?:\/\/[^/]/.test(uri)) return mongoConfig(values, notes);
  if (trustedUrl.parse(uri) !== undefined) {
    return {
      kind: 'cosmos',
      endpoint: uri,
      database: values.DATABASE_NAME,
      key: values.DB_PASSWORD,
    };
  }
  notes.problem('DB_URI', 'expected a mongodb://, mongodb+srv:// or https:// address');
  return { kind: 'sqlite', directory: values.DATA_DIR };
}

const sqliteOnAzure =
  'must be true on Azure: instances of a Functions app come and go, and a SQLite file goes with them. ' +
  'Set DATABASE=true and DB_URI to a database outside the app';

function mongoConfig(values: ValuesOf<typeof storeVariables>, notes: Notes): StoreConfig {
  const hasOwnCredentials = /^mongodb(\+srv)?:\/\/[^/?]*@/.test(values.DB_URI);
  const wanted = !hasOwnCredentials && values.DB_USERNAME !== '';
  const password = values.DB_PASSWORD ?? weakPassword;
  if (wanted && password === weakPassword) {
    notes.warn('DB_PASSWORD', 'the weak built-in password is used; set one of your own');
  }
  return {
    kind: 'mongo',
    uri: values.DB_URI,
    database: values.DATABASE_NAME,
    credentials: wanted ? { username: values.DB_USERNAME, password } : undefined,
  };
}

/** The password written into a database URI, for the redactor. */
export function passwordInUri(uri: string): string | undefined {
  const encoded = /^[a-z+]+:\/\/[^/?@:]*:([^/?@]*)@/i.exec(uri)?.[1];
  return encoded === undefined || encoded === '' ? undefined : encoded;
}
