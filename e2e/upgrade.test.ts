import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrate, migrations } from '../src/db/migrate.ts';
import { openDatabase } from '../src/db/open-database.ts';
import { makeEmptyDatabase } from '../test/databases.ts';
import { laterMigrations } from '../test/later-schema.ts';
import { ContinuousClients } from './continuous-clients.ts';
import { customerPath, pagePath } from './load.ts';
import { startProgram } from './program.ts';

test('no request fails while a later version changes the schema (postgres)', async (t) => {
  const database = await makeEmptyDatabase(t, 'postgres');
  const program = await startProgram(t, database, { RATE_LIMIT: '0', CUSTOMERS_PER_ADDRESS: '0' });
  const { key, port } = program;
  const clients = new ContinuousClients(t, port, (client, count) => {
    const read = (path: string) => ({ method: 'GET' as const, path: `${path}?api_key=${key}` });
    const requests = [
      () => ({ method: 'POST' as const, path: pagePath(key, `Page ${client}-${count}`) }),
      () => ({ method: 'POST' as const, path: customerPath(key, `customer-${client}-${count}`) }),
      ...['account', 'pages', 'customers', 'plans', 'revenue', 'images', 'domains', 'users', 'settings', 'keys'].map(
        (name) => () => read(`/api/${name}.json`),
      ),
    ];
    return requests[(client + count) % requests.length]!();
  });
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
