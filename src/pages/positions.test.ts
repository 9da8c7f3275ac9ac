import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import type { Db } from '../db/database.ts';
import { freeUrlname } from './positions.ts';

/** Beside `foo`: what looks like its numbers and is none of them. */
const noise = [
  'foo-02',
  'foo-1a',
  'foo-10a',
  'foo-1-2',
  'foo-2-3',
  'foo12',
  'fo-o12',
  'food-2',
  'foo-999999x',
  'fooo-21',
];

onEachDatabase('a sibling of the same urlname', (open) => {
  test('gets the lowest free number, whichever are taken', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const upTo = fc.constantFrom(1, 2, 9, 20, 21, 99, 100, 130, 999, 1100);
    const gaps = fc.array(fc.integer({ min: 2, max: 1100 }), { maxLength: 5 });
    const others = fc.array(fc.integer({ min: 2, max: 30_000 }), { maxLength: 5 });
    let account = accountId;
    let user = userId;
    await fc.assert(
      fc.asyncProperty(upTo, gaps, others, async (most, free, more) => {
        const numbers = new Set(Array.from({ length: most - 1 }, (_, index) => index + 2).concat(more));
        for (const number of free) numbers.delete(number);
        await addPages(db, account, user, ['foo', ...noise, ...[...numbers].map((number) => `foo-${number}`)]);
        let lowest = 2;
        while (numbers.has(lowest)) lowest += 1;
        const found = await db.transaction().execute((trx) => freeUrlname(trx, account, 0, 'foo'));
        ({ accountId: account, userId: user } = await makeAccount(db));
        assert.equal(found, `foo-${lowest}`);
      }),
      { numRuns: 60 },
    );
  });

  test('costs a bounded number of look-ups where thousands have it', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const all = Array.from({ length: 12_000 }, (_, index) => (index === 0 ? 'foo' : `foo-${index + 1}`));
    await addPages(
      db,
      accountId,
      userId,
      all.filter((name) => name !== 'foo-7654'),
    );
    let queries = 0;
    const found = () =>
      db.transaction().execute(async (trx) => {
        const connection = await trx.getExecutor().provideConnection(async (own) => own);
        const { mock } = t.mock.method(connection, 'executeQuery');
        const urlname = await freeUrlname(trx, accountId, 0, 'foo');
        queries += mock.callCount();
        mock.restore();
        return urlname;
      });
    assert.equal(await found(), 'foo-7654');
    await addPages(db, accountId, userId, ['foo-7654']);
    assert.equal(await found(), 'foo-12001');
    assert.ok(queries > 20 && queries <= 60, `${queries} look-ups`);
  });
});

async function addPages(db: Db, accountId: number, userId: number, urlnames: readonly string[]): Promise<void> {
  const last = await db
    .selectFrom('pages')
    .select((e) => e.fn.max('position').as('position'))
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const first = (last?.position ?? 0) + 1;
  await db.transaction().execute(async (trx) => {
    for (let from = 0; from < urlnames.length; from += 500) {
      const rows = urlnames.slice(from, from + 500).map((urlname, index) => ({
        account_id: accountId,
        parent_id: null,
        name: urlname,
        urlname,
        position: first + from + index,
        is_hidden: 0 as const,
        body: '',
        description: null,
        body_format: '' as const,
        custom_date: 1,
        created_at: 1,
        created_by: userId,
        updated_at: 1,
        updated_by: userId,
        version: 1,
      }));
      await trx.insertInto('pages').values(rows).execute();
    }
  });
}
