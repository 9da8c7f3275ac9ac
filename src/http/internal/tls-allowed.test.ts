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

onEachDatabase('whether a host may have a certificate', (open) => {
  test('the service itself, sites and verified domains may, and nothing else', async (t) => {
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
      // Visitors are told that it is suspended, over HTTPS.
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

  test('the service itself may where PUBLIC_URL ends its host with a dot, too', async (t) => {
    const service = await startService(t, await open(t), { ...settings, PUBLIC_URL: 'https://api.agency.example.' });
    const reply = await service.request('GET', '/internal/tls-allowed?domain=api.agency.example');
    assert.equal(reply.status, 200);
  });

  test('without a database sites are answered with 503, the service itself with 200', async (t) => {
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
