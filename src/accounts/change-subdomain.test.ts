import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { overlapping } from '../../test/overlap.ts';
import { operator } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import { getAccount } from './account.ts';
import { changeSubdomain } from './change-subdomain.ts';

const addresses = { publicUrl: 'https://example.org', sitesDomain: 'example.org' };

onEachDatabase('changing a subdomain', (open) => {
  test('every former subdomain stays reserved for its account, even after two concurrent changes', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    await overlapping(
      db,
      (trx) => changeSubdomain(trx, accountId, 'acme-web', addresses, operator),
      () => db.transaction().execute((trx) => changeSubdomain(trx, accountId, 'acme-shop', addresses, operator)),
    );
    assert.equal((await getAccount(db, accountId)).subdomain, 'acme-shop');
    const released = await db.selectFrom('released_subdomains').selectAll().orderBy('subdomain').execute();
    assert.deepEqual(
      released.map(({ subdomain, account_id }) => [subdomain, account_id]),
      [
        ['acme', accountId],
        ['acme-web', accountId],
      ],
    );
  });

  test('a subdomain that another account is giving up in a concurrent change counts as taken', async (t) => {
    const { db } = await open(t);
    const holder = await makeAccount(db, 'acme');
    const other = await makeAccount(db, 'bakery');
    const giveUp = (trx: Trx) => changeSubdomain(trx, holder.accountId, 'acme-web', addresses, operator);
    const changeTo = () =>
      db.transaction().execute((trx) => changeSubdomain(trx, other.accountId, 'acme', addresses, operator));
    const taken = new ValidationError([{ field: 'subdomain', code: 'taken' }]);
    await assert.rejects(overlapping(db, giveUp, changeTo), taken);
    assert.equal((await getAccount(db, other.accountId)).subdomain, 'bakery');
  });
});
