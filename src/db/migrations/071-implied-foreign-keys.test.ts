import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeAccount, makeCustomer, makePage } from '../../../test/factories.ts';
import type { Trx } from '../database.ts';

onEachDatabase('foreign keys to accounts', (open) => {
  for (const [what, write] of Object.entries({
    'a page': async (trx: Trx, id: number) => {
      const row = await trx.selectFrom('pages').selectAll().executeTakeFirstOrThrow();
      const { id: _id, ...page } = row;
      await trx
        .insertInto('pages')
        .values({ ...page, account_id: id })
        .execute();
    },
    'a link': async (trx: Trx, id: number) => {
      const row = await trx.selectFrom('one_time_links').selectAll().executeTakeFirstOrThrow();
      const { id: _id, ...link } = row;
      await trx
        .insertInto('one_time_links')
        .values({ ...link, account_id: id, token_hash: 'other' })
        .execute();
    },
    'a customer': async (trx: Trx, id: number) => {
      const row = await trx
        .selectFrom('accounts')
        .selectAll()
        .where('parent_id', 'is not', null)
        .executeTakeFirstOrThrow();
      const { id: _id, ...customer } = row;
      await trx
        .insertInto('accounts')
        .values({ ...customer, parent_id: id, subdomain: 'other' })
        .execute();
    },
  })) {
    test(`${what} cannot be inserted for an account that does not exist`, async (t) => {
      const { db } = await open(t);
      const { accountId, userId } = await makeAccount(db);
      await makeCustomer(db, accountId, 'customer');
      await makePage(db, accountId, { userId });
      await assert.rejects(
        db.transaction().execute((trx) => write(trx, 12_345)),
        /foreign key/i,
      );
    });
  }
});
