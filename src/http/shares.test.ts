import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount, makeCustomer } from '../../test/factories.ts';
import { startService } from '../../test/service.ts';
import { visit } from '../../test/visit.ts';
import { issueApiKey } from '../api-keys/issue-api-key.ts';
import { AccountSemaphore } from '../tenancy/account-semaphore.ts';
import type { Holder } from '../tenancy/holder.ts';

onEachDatabase('holders of semaphores', (open) => {
  test('long requests of an account below a customer count for the customer and its top-level account', async (t) => {
    const database = await open(t);
    const { db } = database;
    const { accountId: topLevelId } = await makeAccount(db);
    const customerId = await makeCustomer(db, topLevelId);
    const accountId = await makeCustomer(db, await makeCustomer(db, customerId), 'bakery');
    const { id: userId } = await db
      .selectFrom('users')
      .select('id')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    const { key } = await db
      .transaction()
      .execute((trx) => issueApiKey(trx, accountId, { userId, name: 'Program', expiresAt: null }));
    const service = await startService(t, database, { SITES_DOMAIN: 'sites.test' });
    const turns = watchTurns(t);
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const get = (path: string) => service.request('GET', path, { headers });
    const post = (path: string, body: object) => service.request('POST', path, { headers, body: JSON.stringify(body) });
    const requests = {
      'a large page': () => post('/api/pages.json', { page: { name: 'Large', body: '<b>a</b> '.repeat(40_000) } }),
      'an import of many pages': () =>
        post('/api/pages/import.json', { pages: Array.from({ length: 600 }, (_, at) => ({ name: `Page ${at}` })) }),
      'a selection of the pages': () => get('/api/pages.json?fields=name'),
      'the site’s page': () => visit(service, 'bakery.sites.test', '/'),
      'a search of the site': () => visit(service, 'bakery.sites.test', '/search.html?q=page'),
    };
    for (const [name, request] of Object.entries(requests)) {
      const { status, text } = await request();
      assert.equal(status, 200, `${name}: ${text}`);
      const holders = turns.splice(0);
      assert.ok(holders.length > 0, name);
      for (const holder of holders) assert.deepEqual(holder, { topLevelId, customerId }, name);
    }
  });
});

/** Returns a list that collects the holder of every task that a semaphore runs. */
function watchTurns(t: TestContext): Holder[] {
  const holders: Holder[] = [];
  const original: (...values: never[]) => unknown = AccountSemaphore.prototype.run;
  t.mock.method(AccountSemaphore.prototype, 'run', function (this: AccountSemaphore, ...values: unknown[]) {
    holders.push(values[1] as Holder);
    return original.apply(this, values as never[]) as never;
  });
  return holders;
}
