import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { addresses, makeAccount, makePage } from '../../test/factories.ts';
import { changeSubdomain } from '../accounts/change-subdomain.ts';
import { operator } from '../audit/record-audit-event.ts';
import type { Db } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';
import { siteFinder } from './find-site.ts';

onEachDatabase('finding the site of a host', (open) => {
  test('a subdomain of the sites domain leads to its account, whatever the domain’s port', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db, 'acme');
    for (const domain of ['sites.example.com', 'sites.example.com:8080']) {
      const site = (await siteFinder(db, domain)('acme.sites.example.com'))!;
      assert.deepEqual(
        { ...site },
        {
          accountId,
          name: 'Account acme',
          subdomain: 'acme',
          status: 'active',
          theme: 'typographic',
          accent: '#1f5fbf',
          secondButtonPageId: null,
          language: 'en',
          timeZone: 'UTC',
          contentVersion: site.contentVersion,
          changedAt: site.changedAt,
          primaryHost: null,
        },
      );
      assert.ok(Math.abs(site.changedAt - Date.now()) < 60_000);
    }
    const find = siteFinder(db, 'sites.example.com');
    const before = (await find('acme.sites.example.com'))!;
    await makePage(db, accountId, { userId });
    const after = (await find('acme.sites.example.com'))!;
    assert.ok(after.contentVersion > before.contentVersion);
    assert.ok(after.changedAt >= before.changedAt);
  });

  test('an unknown or invalid host leads to no site', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    await addDomain(db, accountId, 'www.acme.example', { verified: false });
    const find = siteFinder(db, 'sites.example.com');
    for (const host of [
      'nobody.sites.example.com',
      'sites.example.com',
      '.sites.example.com',
      'www.acme.sites.example.com',
      'acmesites.example.com',
      'acme.sites.example.com.',
      'acme.sites.example.com:80',
      'ACME.sites.example.com',
      'www.acme.example',
      '127.0.0.1',
      '[::1]',
      'localhost',
      '',
      'a\0b.example.com',
      'é.example.com',
      `${'a.'.repeat(200)}com`,
    ]) {
      assert.equal(await find(host), undefined, JSON.stringify(host));
    }
  });

  test('an own domain leads to its account once it is verified, and the first one is the primary', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    const other = await makeAccount(db, 'other');
    // Unverified claims count for nothing, however old.
    await addDomain(db, other.accountId, 'www.acme.example', { verified: false });
    await addDomain(db, accountId, 'claimed.acme.example', { verified: false });
    await addDomain(db, accountId, 'www.acme.example');
    await addDomain(db, accountId, 'acme.example');
    const find = siteFinder(db, 'sites.example.com');
    for (const host of ['www.acme.example', 'acme.example', 'acme.sites.example.com']) {
      const site = await find(host);
      assert.deepEqual([site?.accountId, site?.primaryHost], [accountId, 'www.acme.example'], host);
    }
    assert.equal((await find('other.sites.example.com'))?.primaryHost, null);
  });

  test('the next look-up of a site shows a change by another process', async (t) => {
    const { db, config } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    const elsewhere = await openDatabase(config);
    t.after(() => elsewhere.destroy());
    const find = siteFinder(db, 'sites.example.com');
    const many = await Promise.all(Array.from({ length: 50 }, () => find('acme.sites.example.com')));
    assert.ok(many.every((site) => site?.accountId === accountId));
    const before = many[0]!.contentVersion;
    await elsewhere.transaction().execute((trx) => changeSubdomain(trx, accountId, 'acme-web', addresses, operator));
    assert.equal(await find('acme.sites.example.com'), undefined);
    const renamed = await find('acme-web.sites.example.com');
    assert.ok(renamed!.contentVersion > before);
  });
});

function addDomain(db: Db, accountId: number, host: string, { verified = true } = {}): Promise<unknown> {
  return db.transaction().execute((trx) =>
    trx
      .insertInto('domains')
      .values({ account_id: accountId, host, token: 't', verified_at: verified ? 1 : null, created_at: 1 })
      .execute(),
  );
}
