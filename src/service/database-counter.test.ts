import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { openTestDatabase } from '../../test/databases.ts';
import { openDatabase } from '../db/open-database.ts';
import { MemoryCounter, RateLimit } from '../http/limits.ts';
import { DatabaseCounter } from './database-counter.ts';

describe('rate limits that are counted in the database', () => {
  test('a rate limit applies to all machines together', async (t) => {
    const { limit, db } = await start(t, 10);
    const machines = [limit(), limit()] as const;
    assert.equal(await allowed(machines, 40), 10);
    assert.equal(await allowed(machines, 2), 0);
    // Ends the minute.
    await sql`update request_counts set ends_at = 0`.execute(db);
    assert.equal(await allowed([limit()], 40), 10);
  });

  test('a large rate limit is handed out to machines in shares, and never exceeded', async (t) => {
    const { limit, db } = await start(t, 400);
    const machines = [limit(), limit()] as const;
    // Requests that a machine has left of its last share are not given to another machine.
    const count = await allowed(machines, 1000);
    assert.ok(count > 360 && count <= 400, String(count));
    const { rows } = await sql<{ taken: number }>`select taken from request_counts`.execute(db);
    assert.deepEqual(rows, [{ taken: 400 }]);
  });

  test("a rate limit still applies after the database's clock was set back", async (t) => {
    const { limit, db } = await start(t, 10);
    await allowed([limit()], 20);
    await sql`update request_counts set ends_at = ends_at + 3600000`.execute(db);
    assert.equal(await allowed([limit()], 20), 10);
  });

  test('counting requests waits for no disk or standby server, and counts are deleted after their minute', async (t) => {
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

  test('a machine counts requests alone while the database is unreachable', async (t) => {
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

/** Sends the requests to the machines in turn, all at once. Returns how many are allowed. */
async function allowed(machines: readonly RateLimit[], requests: number): Promise<number> {
  const verdicts = await Promise.all(
    Array.from({ length: requests }, (_, index) => machines[index % machines.length]!.take('1')),
  );
  return verdicts.filter((verdict) => verdict.isAllowed).length;
}
