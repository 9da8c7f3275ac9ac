import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { Person, tokenFor } from '../../../test/person.ts';
import { startService, startWithAccount } from '../../../test/service.ts';
import { issueApiKey } from '../../api-keys/issue-api-key.ts';
import type { Db } from '../../db/database.ts';

onEachDatabase('audit events of API clients', (open) => {
  const events = async (db: Db, accountId: number) => {
    const rows = await db
      .selectFrom('audit_log')
      .select(['action', 'subject', 'details', 'actor', 'user_id', 'api_key_id', 'ip', 'at'])
      .where('account_id', '=', accountId)
      // Leave out the set-up of the account.
      .where('actor', '!=', 'operator')
      .orderBy('id')
      .execute();
    return rows.map(({ details, ...row }) => ({ ...row, details: JSON.parse(details) }));
  };
  const subjects = async (db: Db, accountId: number) => (await events(db, accountId)).map(({ subject }) => subject);
  const pages = (db: Db, accountId: number) =>
    db.selectFrom('pages').selectAll().where('account_id', '=', accountId).orderBy('id').execute();

  test('the event of a created page has the user, key, IP address and time, but not the key itself', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open, { TRUST_PROXY: 'loopback' });
    const { id: keyId, key } = await db
      .transaction()
      .execute((trx) => issueApiKey(trx, accountId, { userId, name: 'Website sync', expiresAt: null }));
    const from = { 'X-Forwarded-For': '203.0.113.9, 192.0.2.7' };
    assert.equal((await service.createPage(key, { name: ' „Neu" ' }, from)).status, 200);
    const [page] = await pages(db, accountId);
    const common = { actor: 'Olivia Owner', user_id: userId, api_key_id: keyId, ip: '192.0.2.7', at: page!.created_at };
    const event = { ...common, action: 'page.created', subject: `page_${page!.id}`, details: { name: '„Neu"' } };
    assert.deepEqual(await events(db, accountId), [event]);

    const entry = {
      actor: 'Olivia Owner',
      userId,
      key: { name: 'Website sync', last4: key.slice(-4) },
      action: 'page.created',
      subject: `page_${page!.id}`,
      pageId: page!.id,
      isInTrash: false,
      details: { name: '„Neu"' },
      ip: '192.0.2.7',
      at: page!.created_at,
    };
    const owner = new Person(service, await tokenFor(db, accountId, userId));
    const shown = async () => (await owner.get('log')).json.entries.at(-2);
    const { id, ...first } = await shown();
    assert.deepEqual(first, entry);
    await owner.delete(`pages/${page!.id}`, { 'If-Match': '*' });
    assert.deepEqual(await shown(), { id, ...entry, pageId: null, isInTrash: true }, 'a deleted page is in the trash');
    assert.ok(!JSON.stringify(await events(db, accountId)).includes(key));
  });

  test('each created page is recorded exactly once, on every code path', async (t) => {
    const { service, db, accountId, key } = await startWithAccount(t, open);
    await service.createPage(key, { name: 'Prices' });
    // These take different code paths: a URL that differs from the name, an idempotency key, many at a time, and a page too
    // long for a batch.
    await service.createPage(key, { name: 'Prices?' });
    await service.createPage(key, { name: 'Once' }, { 'Idempotency-Key': 'once' });
    const odd = ['null', '12', '["a"]', '{"b": 1}', '\\ \t \u0001 \u{1f600}', '__proto__'];
    const names = [...odd, ...Array.from({ length: 34 }, (_, index) => `Page ${index}`)];
    await Promise.all(names.map((name) => service.createPage(key, { name })));
    await service.createPage(key, { name: 'Long', body: 'x'.repeat(40_000) });
    const made = await pages(db, accountId);
    assert.equal(made.length, 44);
    const recorded = (await events(db, accountId)).map(({ subject, details, at }) => [subject, details.name, at]);
    const expected = made.map(({ id, name, created_at }) => [`page_${id}`, name, created_at]);
    assert.deepEqual(new Set(recorded.map(String)), new Set(expected.map(String)));
    assert.equal(recorded.length, expected.length);
  });

  test('events of many accounts and processes are recorded in their own accounts', async (t) => {
    const { service, db, database, accountId, key } = await startWithAccount(t, open);
    const other = await startService(t, database);
    const subdomains = Array.from({ length: 4 }, (_, index) => `customer-${index}`);
    for (const account_subdomain of subdomains) await service.createCustomer(key, { account_subdomain });
    const customers = await db.selectFrom('accounts').select('id').where('parent_id', '=', accountId).execute();
    const accounts = await Promise.all(
      customers.map(async ({ id }) => {
        const { id: userId } = await db
          .selectFrom('users')
          .select('id')
          .where('account_id', '=', id)
          .executeTakeFirstOrThrow();
        const issued = await db
          .transaction()
          .execute((trx) => issueApiKey(trx, id, { userId, name: 'Sync', expiresAt: null }));
        return { id, keyId: issued.id, key: issued.key };
      }),
    );
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 ? service : other).createPage(accounts[index % 4]!.key, { name: `Page ${index}` }),
      ),
    );
    for (const { id, keyId } of accounts) {
      const made = (await pages(db, id)).filter(({ name }) => name.startsWith('Page'));
      assert.equal(made.length, 10);
      const recorded = (await events(db, id)).filter(({ api_key_id }) => api_key_id === keyId);
      assert.deepEqual(recorded.map(({ subject }) => subject).sort(), made.map((page) => `page_${page.id}`).sort());
    }
  });

  test('refused and repeated requests record no events', async (t) => {
    const { service, db, accountId, key } = await startWithAccount(t, open);
    const once = { 'Idempotency-Key': 'once' };
    for (let time = 0; time < 2; time++) await service.createPage(key, { name: 'Home' }, once);
    const customer = { account_subdomain: 'acme' };
    for (let time = 0; time < 2; time++) await service.createCustomer(key, customer, { 'Idempotency-Key': 'customer' });
    const recorded = await subjects(db, accountId);
    assert.equal(recorded.length, 2);
    const refused = [
      await service.createPage(key, { name: 'Home' }),
      await service.createPage(key, { name: '' }),
      await service.createPage(key, { name: 'Lost', parent_id: 'page_999999' }),
      await service.createPage(key, { name: 'Home' }, { 'Idempotency-Key': 'other' }),
      await service.createPage(key, { name: 'Other' }, once),
      await service.createPage(`${key}x`, { name: 'Stranger' }),
      await service.post('/api/pages.json', key, { page: 'x' }),
      await service.createCustomer(key, customer),
      await service.createCustomer(key, { account_subdomain: 'other', user_password: 'short' }),
    ];
    assert.deepEqual(
      refused.map(({ status }) => status),
      [422, 422, 422, 422, 422, 401, 400, 422, 422],
    );
    assert.deepEqual(await subjects(db, accountId), recorded);
  });

  test('a new customer is in the seller’s log, and begins its own log, which reveals only the seller’s name', async (t) => {
    const { service, db, accountId, userId, key } = await startWithAccount(t, open);
    await service.createCustomer(key, { account_name: ' Acme & Sons ', account_subdomain: 'acme' });
    const accounts = await db.selectFrom('accounts').select(['id', 'name']).orderBy('id').execute();
    const [seller, customer] = [accounts[0]!, accounts[1]!];
    const { id: keyId } = await db.selectFrom('api_keys').select('id').executeTakeFirstOrThrow();
    const ofSeller = await events(db, accountId);
    const ofCustomer = await events(db, customer.id);
    const details = { name: 'Acme & Sons' };
    const [{ at }, { at: later }] = [ofSeller[0]!, ofCustomer[0]!];
    assert.deepEqual(ofSeller, [
      {
        action: 'customer.created',
        subject: `customer_${customer.id}`,
        details,
        at,
        actor: 'Olivia Owner',
        user_id: userId,
        api_key_id: keyId,
        ip: '127.0.0.1',
      },
    ]);
    assert.deepEqual(ofCustomer, [
      {
        action: 'account.created',
        subject: `account_${customer.id}`,
        details,
        at: later,
        actor: seller.name,
        user_id: null,
        api_key_id: null,
        ip: null,
      },
    ]);
  });
});
