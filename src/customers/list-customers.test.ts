import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { addManyCustomers } from '../../bench/data.ts';
import { onEachDatabase, openTestDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { selectCustomers } from './customer.ts';
import { type CustomerCursor, listCustomers, MAX_SCANNED } from './list-customers.ts';

onEachDatabase('a list of filtered customers', (open) => {
  test('a filter that few of many customers match finds each of them, page by page', async (t) => {
    const { db } = await open(t);
    const { accountId: id, key } = await makeAccount(db);
    await addManyCustomers(db, { id, key } as never, 2 * MAX_SCANNED + 50);
    const suspended = await db.transaction().execute(async (trx) => {
      const first = trx.selectFrom('accounts').select('id').where('parent_id', '=', id).orderBy('id');
      const ids = [0, 60, MAX_SCANNED - 1, MAX_SCANNED + 7, 2 * MAX_SCANNED + 40];
      const rows = await Promise.all(ids.map((offset) => first.offset(offset).limit(1).executeTakeFirstOrThrow()));
      const matches = rows.map((row) => row.id);
      await trx.updateTable('accounts').set({ status: 'suspended' }).where('id', 'in', matches).execute();
      return matches;
    });
    for (const sort of ['newest', 'oldest', 'name'] as const) {
      const found: number[] = [];
      let after: CustomerCursor | null = null;
      let parts = 0;
      do {
        const input = { filter: { status: 'suspended' }, sort, after: after ?? undefined, limit: 2 } as const;
        const part = await listCustomers(db, id, input);
        found.push(...part.customers.map((customer) => customer.id));
        after = part.next;
        parts++;
      } while (after);
      if (sort === 'newest') found.reverse();
      assert.deepEqual(found, suspended, sort);
      assert.ok(parts >= 3);
    }
  });
});

test('PostgreSQL cannot read an index of all customers to find some by their ids', async (t) => {
  const { db } = await openTestDatabase(t, 'postgres');
  const plan = await db.transaction().execute(async (trx) => {
    // Without the index of ids, PostgreSQL uses any other index that it can.
    await sql`alter table accounts drop constraint accounts_pkey cascade`.execute(trx);
    await sql`set local enable_seqscan = off`.execute(trx);
    const query = selectCustomers(trx).where('accounts.id', 'in', [1, 2, 3]);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${query}`.execute(trx);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  assert.doesNotMatch(plan, /accounts_customers/);
});
