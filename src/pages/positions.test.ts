import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import type { Db } from '../db/database.ts';
import { numberedUrlname } from './positions.ts';

/** Urlnames beside `foo` that look like numbered ones but are not. */
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

onEachDatabase('numbered urlnames', (open) => {
  test('a taken urlname gets the lowest free number up to 20, and above 20 one after a taken number', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const upTo = fc.constantFrom(1, 2, 9, 19, 20, 21, 39, 40, 41, 99, 100, 130, 999, 1100);
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
        const found = await db.transaction().execute((trx) => numberedUrlname(trx, account, 0, 'foo'));
        ({ accountId: account, userId: user } = await makeAccount(db));
        const number = Number(found.replace('foo-', ''));
        if (lowest <= 20 || numbers.size === lowest - 2) assert.equal(number, lowest);
        assert.equal(numbers.has(number), false);
        assert.ok(number === 2 || numbers.has(number - 1), `${number} follows a free number`);
      }),
      { numRuns: 60 },
    );
  });

  test('the 12,000th sibling of one urlname takes as many queries as the 1,000th, and reads no more rows', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const all = Array.from({ length: 12_000 }, (_, index) => (index === 0 ? 'foo' : `foo-${index + 1}`));
    const found = () =>
      db.transaction().execute(async (trx) => {
        const connection = await trx.getExecutor().provideConnection(async (own) => own);
        const { mock } = t.mock.method(connection, 'executeQuery');
        const urlname = await numberedUrlname(trx, accountId, 0, 'foo');
        const answers = await Promise.all(mock.calls.map(({ result }) => result!));
        mock.restore();
        return { urlname, queries: answers.length, rows: answers.reduce((sum, { rows }) => sum + rows.length, 0) };
      });
    await addPages(db, accountId, userId, all.slice(0, 1000));
    const { urlname, queries } = await found();
    assert.equal(urlname, 'foo-1001');
    await addPages(db, accountId, userId, all.slice(1000));
    const last = await found();
    assert.equal(last.urlname, 'foo-12001');
    assert.ok(last.queries <= queries + 1, `${queries} queries became ${last.queries}`);
    assert.ok(last.rows < 200, `${last.rows} rows`);
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
