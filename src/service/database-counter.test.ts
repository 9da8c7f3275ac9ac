import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { openTestDatabase } from '../../test/databases.ts';
import { openDatabase } from '../db/open-database.ts';
import { MemoryCounter, RateLimit } from '../http/limits.ts';
import { DatabaseCounter } from './database-counter.ts';

describe('requests that are counted in the database', () => {
  test('are limited over all machines', async (t) => {
    const { limit, db } = await start(t, 10);
    const machines = [limit(), limit()] as const;
    assert.equal(await allowed(machines, 40), 10);
    assert.equal(await allowed(machines, 2), 0);
    // The minute is over.
    await sql`update request_counts set ends_at = 0`.execute(db);
    assert.equal(await allowed([limit()], 40), 10);
  });

  test('are taken in shares where the limit is large, and never more than it', async (t) => {
    const { limit, db } = await start(t, 400);
    const machines = [limit(), limit()] as const;
    // What one machine has left of its last share is not given to another.
    const count = await allowed(machines, 1000);
    assert.ok(count > 360 && count <= 400, String(count));
    const { rows } = await sql<{ taken: number }>`select taken from request_counts`.execute(db);
    assert.deepEqual(rows, [{ taken: 400 }]);
  });

  test('count again where the clock of the database was set back', async (t) => {
    const { limit, db } = await start(t, 10);
    await allowed([limit()], 20);
    await sql`update request_counts set ends_at = ends_at + 3600000`.execute(db);
    assert.equal(await allowed([limit()], 20), 10);
  });

  test('wait for no disk and no standby server, and are forgotten after their minute', async (t) => {
    const { db } = await start(t, 1);
    const setting = await db.transaction().execute(async (trx) => {
      await sql`select * from take_requests('test', 1, 1)`.execute(trx);
      return sql`show synchronous_commit`.execute(trx);
    });
    assert.deepEqual(setting.rows, [{ synchronous_commit: 'off' }]);
    await sql`update request_counts set ends_at = 0`.execute(db);
    await sql`select * from take_requests('another', 1, 1)`.execute(db);
    await sql`select forget_requests()`.execute(db);
    assert.deepEqual((await sql`select name from request_counts`.execute(db)).rows, [{ name: 'another' }]);
  });

  test('are counted by the machine alone while the database cannot be asked', async (t) => {
    const { config } = await start(t, 1);
    const db = await openDatabase(config);
    await db.destroy();
    const limit = new RateLimit('test', 10, new DatabaseCounter(db, new MemoryCounter()), 1);
    assert.equal(await allowed([limit], 40), 10);
  });
});

async function start(t: TestContext, most: number) {
  const { db, config } = await openTestDatabase(t, 'postgres');
  const limit = () => new RateLimit('test', most, new DatabaseCounter(db, new MemoryCounter()), 1);
  return { db, config, limit };
}

/** Returns how many of so many requests are allowed, which arrive together at the machines in turns. */
async function allowed(machines: readonly RateLimit[], requests: number): Promise<number> {
  const verdicts = await Promise.all(
    Array.from({ length: requests }, (_, index) => machines[index % machines.length]!.take('1')),
  );
  return verdicts.filter((verdict) => verdict.allowed).length;
}
