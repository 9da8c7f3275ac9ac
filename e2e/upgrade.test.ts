import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrate } from '../src/db/migrate.ts';
import { migrations } from '../src/db/migrations.ts';
import { openDatabase } from '../src/db/open-database.ts';
import { makeEmptyDatabase } from '../test/databases.ts';
import { laterMigrations } from '../test/later-schema.ts';
import { allKinds, ContinuousClients } from './continuous-clients.ts';
import { startProgram } from './program.ts';

test('no request fails while a later version migrates the schema (postgres)', async (t) => {
  const database = await makeEmptyDatabase(t, 'postgres');
  const program = await startProgram(t, database, { RATE_LIMIT: '0', CUSTOMERS_PER_ADDRESS: '0' });
  const { key, port } = program;
  const clients = new ContinuousClients(t, port, allKinds(key));
  await clients.answers(12);
  const db = await openDatabase({ ...database, databasePool: 2 });
  t.after(() => db.destroy());
  const later = await laterMigrations(db);
  assert.deepEqual(
    await migrate(db, [...migrations, ...later]),
    later.map(([name]) => name),
  );
  await clients.answers(24);
  await clients.stop();
  assert.deepEqual(clients.failures, []);
  assert.deepEqual(
    program.log.filter(({ level }) => level > 40),
    [],
  );
});
