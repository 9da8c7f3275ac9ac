import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { addManyCustomers } from '../../bench/data.ts';
import { runCli, runCliJson } from '../../test/cli.ts';
import { environmentOf, onEachDatabase, type TestDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { withoutAutovacuum } from '../../test/without-autovacuum.ts';
import { openDatabase } from '../db/open-database.ts';
import { run } from './run.ts';

/** More rows than one batch, of reading and of printing. */
const CUSTOMERS = 4321;

onEachDatabase('command-line lists', (open) => {
  const start = async (t: TestContext) => {
    const database = await open(t);
    // A connection sends its statistics to the server when it closes. Closing this one keeps its reads out of the test's
    // counts.
    const filling = await openDatabase(database.config);
    if (database.config.databaseUrl !== '') await withoutAutovacuum(filling);
    const { accountId: id, userId, key } = await makeAccount(filling, 'seller');
    await addManyCustomers(filling, { id, userId, key }, CUSTOMERS);
    await filling.destroy();
    return database;
  };
  const printed = async ({ config }: TestDatabase, args: string[], most = Number.POSITIVE_INFINITY) => {
    const texts: string[] = [];
    const out = async (text: string) => texts.push(text) < most;
    const code = await run(args, environmentOf(config), { out, error: assert.fail });
    assert.equal(code, 0);
    return texts;
  };

  /**
   * Returns how many rows of accounts commands have read. A connection sends its statistics when it closes, shortly after
   * the command ends.
   */
  const accountsRead = async ({ db }: TestDatabase) => {
    const others = sql<{ count: number }>`
      select count(*) as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
    while ((await others.execute(db)).rows[0]!.count > 0) await setImmediate();
    const { rows } = await sql<{ read: number }>`
      select seq_tup_read + idx_tup_fetch as read from pg_stat_user_tables where relname = 'accounts'`.execute(db);
    return rows[0]!.read;
  };

  test('a list printed in batches equals the whole list', async (t) => {
    const { config } = await start(t);
    for (const args of [
      ['customer', 'list'],
      ['customer', 'list', '--account', 'seller'],
      ['account', 'list', '--all'],
    ]) {
      const [rows] = Object.values(await runCliJson(config, ...args)) as [{ id: string; name: string }[]];
      const names = rows.filter(({ name }) => name.startsWith('Customer')).map(({ name }) => name);
      assert.deepEqual(
        names,
        Array.from({ length: CUSTOMERS }, (_, index) => `Customer ${index + 1}`),
      );
      const { out } = await runCli(config, ...args);
      const lines = out.trimEnd().split('\n');
      assert.equal(lines.length, rows.length + 1);
      assert.deepEqual(
        lines.slice(1).map((line) => line.split(' ')[0]),
        rows.map(({ id }) => id),
      );
    }
  });

  test('lists are printed while they are read, as text and as JSON', async (t) => {
    const database = await start(t);
    for (const args of [
      ['customer', 'list'],
      ['customer', 'list', '--json'],
      ['account', 'list', '--all', '--json'],
    ]) {
      const texts = await printed(database, args);
      assert.ok(texts.length > 8, `${args}: ${texts.length}`);
    }
  });

  test('lists read each account at most three times on PostgreSQL without statistics', async (t) => {
    const database = await start(t);
    if (database.config.databaseUrl === '') return;
    for (const args of [
      ['customer', 'list'],
      ['customer', 'list', '--account', 'seller'],
      ['account', 'list', '--all'],
    ]) {
      const before = await accountsRead(database);
      await printed(database, args);
      const read = (await accountsRead(database)) - before;
      assert.ok(read < 4 * CUSTOMERS, `${args}: ${read} rows`);
    }
  });

  test('a list ends silently if its reader closes the pipe', async (t) => {
    const database = await start(t);
    assert.equal((await printed(database, ['customer', 'list'], 1)).length, 1);
    assert.equal((await printed(database, ['customer', 'list', '--json'], 1)).length, 1);
  });
});
