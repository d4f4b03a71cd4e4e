import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createSqliteStores } from '../../../../infra/stores/sqlite/create-sqlite-stores.ts';
import { migrate, migrations } from '../../../../infra/stores/sqlite/migrations.ts';
import { aPlaybook, playbookId } from '../../../contracts/builders.ts';
import { temporaryDatabase } from './temporary-database.ts';

const steps = [
  { name: 'first', sql: 'CREATE TABLE a (x INTEGER)' },
  { name: 'second', sql: 'INSERT INTO a VALUES (1); ALTER TABLE a ADD COLUMN y TEXT' },
];

function applied(connection: DatabaseSync): unknown[] {
  return connection
    .prepare('SELECT version, name FROM migrations ORDER BY version')
    .all()
    .map(({ version, name }) => [version, name]);
}

test('an empty database goes through every step in order, once', () => {
  const connection = new DatabaseSync(':memory:');

  migrate(connection, steps, 'db');
  migrate(connection, steps, 'db');

  expect(applied(connection)).toEqual([
    [1, 'first'],
    [2, 'second'],
  ]);
  expect(connection.prepare('SELECT * FROM a').all()).toHaveLength(1);
});

test('an older database goes through the steps it lacks and keeps its data', () => {
  const connection = new DatabaseSync(':memory:');
  migrate(connection, steps.slice(0, 1), 'db');
  connection.exec('INSERT INTO a VALUES (7)');

  migrate(connection, steps, 'db');

  const rows = connection.prepare('SELECT x, y FROM a ORDER BY x').all();
  expect(rows.map(({ x, y }) => [x, y])).toEqual([
    [1, null],
    [7, null],
  ]);
});

test('a step that fails leaves the database as it was', () => {
  const connection = new DatabaseSync(':memory:');
  const broken = {
    name: 'broken',
    sql: 'CREATE TABLE b (x INTEGER); INSERT INTO nowhere VALUES (1)',
  };

  expect(() => migrate(connection, [...steps, broken], 'db')).toThrow('nowhere');

  const tables = connection.prepare('SELECT name FROM sqlite_schema').all();
  expect(tables).toEqual([]);
  migrate(connection, steps, 'db');
  expect(applied(connection)).toHaveLength(2);
});

test('a database of a newer release is refused and left alone', async () => {
  const path = temporaryDatabase();
  const stores = createSqliteStores({ path, synchronous: 'normal' });
  await stores.playbooks.add(playbookId(1), aPlaybook(1));
  await stores.close();
  const newer = new DatabaseSync(path);
  newer.exec("INSERT INTO migrations (version, name) VALUES (1000, 'of the future')");
  newer.close();

  const open = () => createSqliteStores({ path, synchronous: 'normal' });

  expect(open).toThrow(
    `The database ${path} has schema version 1000, written by a newer release; ` +
      `this one knows versions up to ${migrations.length}.`,
  );
  const after = new DatabaseSync(path);
  expect(after.prepare('SELECT count(*) AS n FROM playbooks').get()).toMatchObject({ n: 1 });
  expect(applied(after)).toHaveLength(migrations.length + 1);
  after.close();
});
