import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeAccount, makeCustomer } from '../../../test/factories.ts';
import { changeSettings } from '../../accounts/change-settings.ts';
import { operator } from '../../audit/record-audit-event.ts';
import { up } from './028-customers.ts';

onEachDatabase('migration 028, names of customers', (open, kind) => {
  test('existing accounts get their names in the form that the search uses', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    const rename = (id: number, name: string) =>
      db.transaction().execute((trx) => changeSettings(trx, id, { name }, operator));
    await rename(await makeCustomer(db, accountId), 'Bäckerei MÜLLER');
    await rename(await makeCustomer(db, accountId), `FI ${'İ'.repeat(200)}`);
    const keys = () => db.selectFrom('accounts').select(['id', 'name_key']).orderBy('id').execute();
    const before = await keys();
    assert.equal(before[1]?.name_key, 'backerei muller');
    await db.transaction().execute(async (trx) => {
      for (const index of ['accounts_customers', 'accounts_customers_name', 'accounts_customers_subdomain']) {
        await sql.raw(`drop index if exists ${index}`).execute(trx);
      }
      await sql.raw('alter table accounts drop column name_key').execute(trx);
      await up(trx as never, kind);
    });
    assert.deepEqual(await keys(), before);
  });
});
