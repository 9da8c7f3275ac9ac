import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeAccount, makeCustomer } from '../../../test/factories.ts';
import { startService } from '../../../test/service.ts';
import { suspendCustomer } from '../../accounts/change-customer.ts';
import { operator } from '../../audit/record-audit-event.ts';
import { addDomain } from '../../domains/add-domain.ts';

const settings = {
  PUBLIC_URL: 'https://api.agency.example',
  SITES_DOMAIN: 'sites.agency.example',
  TRUST_PROXY: 'loopback',
};

onEachDatabase('hosts that may get a certificate', (open) => {
  test('only the service itself, sites and verified domains may get a certificate', async (t) => {
    const database = await open(t);
    const { db } = database;
    const { accountId } = await makeAccount(db, 'acme');
    const customerId = await makeCustomer(db, accountId, 'bakery');
    await db.transaction().execute(async (trx) => {
      await suspendCustomer(trx, accountId, customerId, operator);
      await addDomain(trx, accountId, 'claimed.example', operator);
      const { id } = await addDomain(trx, accountId, 'www.acme.example', operator);
      await trx.updateTable('domains').set({ verified_at: 1 }).where('id', '=', id).execute();
    });
    const service = await startService(t, database, settings);
    const ask = (query: string) => service.request('GET', `/internal/tls-allowed${query}`);
    for (const host of [
      'api.agency.example',
      'acme.sites.agency.example',
      'ACME.sites.agency.example',
      // A suspended site tells its visitors so over HTTPS.
      'bakery.sites.agency.example',
      'www.acme.example',
    ]) {
      assert.equal((await ask(`?domain=${host}`)).status, 200, host);
    }
    for (const query of [
      '',
      '?domain=',
      '?domain=claimed.example',
      '?domain=nobody.sites.agency.example',
      '?domain=a.acme.sites.agency.example',
      '?domain=sites.agency.example',
      '?domain=agency.example',
      '?domain=127.0.0.1',
      '?domain=%00',
      '?domain=%ff%',
      `?domain=${'a.'.repeat(5000)}example`,
    ]) {
      assert.equal((await ask(query)).status, 404, query.slice(0, 50));
    }
    const allowed = await ask('?domain=www.acme.example');
    assert.equal(allowed.headers['cache-control'], 'no-store');
    assert.equal(allowed.headers.location, undefined);
    assert.equal((await service.request('POST', '/internal/tls-allowed?domain=x.example')).status, 405);
    const throughProxy = { 'X-Forwarded-For': '127.0.0.1' };
    const refused = await service.request('GET', '/internal/tls-allowed?domain=www.acme.example', {
      headers: throughProxy,
    });
    assert.deepEqual(refused.outcome, [404, { response: false, errors: 'Not found.' }]);
  });

  test('the service itself may get a certificate even if the host in PUBLIC_URL ends with a dot', async (t) => {
    const service = await startService(t, await open(t), { ...settings, PUBLIC_URL: 'https://api.agency.example.' });
    const reply = await service.request('GET', '/internal/tls-allowed?domain=api.agency.example');
    assert.equal(reply.status, 200);
  });

  test('without a database, the answer is 503 for sites, and 200 for the service itself', async (t) => {
    const database = await open(t);
    const service = await startService(t, database, settings);
    await makeAccount(database.db, 'acme');
    await database.db.destroy();
    const reply = await service.request('GET', '/internal/tls-allowed?domain=acme.sites.agency.example');
    assert.equal(reply.status, 503);
    const own = await service.request('GET', '/internal/tls-allowed?domain=api.agency.example');
    assert.equal(own.status, 200);
  });
});
