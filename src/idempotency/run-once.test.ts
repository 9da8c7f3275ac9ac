import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { countingDeletions } from '../../test/deletions.ts';
import { customerFields, startService, startWithAccount } from '../../test/service.ts';
import { issueApiKey } from '../api-keys/issue-api-key.ts';
import { openDatabase } from '../db/open-database.ts';
import { fingerprintOf, pruneStoredResponses, RETENTION_MS } from './run-once.ts';

const pageCreated = [200, { response: true, errors: [] }];
const customerCreated = [200, { response: true, errors: null }];
const nameTaken = [422, { response: false, errors: [['name', 'has already been taken']] }];
const subdomainTaken = [422, { response: false, errors: ['Your URL has already been taken'] }];
const once = { 'Idempotency-Key': '3f1c-1' };

onEachDatabase('requests with an Idempotency-Key', (open) => {
  test('a repeated request is executed once, and gets the first response again', async (t) => {
    const { service, key, db } = await startWithAccount(t, open);
    for (let time = 0; time < 3; time++) {
      assert.deepEqual((await service.createPage(key, { name: 'Home' }, once)).outcome, pageCreated);
      const customer = await service.createCustomer(key, {}, { 'Idempotency-Key': '3f1c-2' });
      assert.deepEqual(customer.outcome, customerCreated);
      assert.equal(customer.headers['cache-control'], 'private, no-cache');
    }
    assert.equal((await service.pages(key)).length, 1);
    assert.equal((await db.selectFrom('outbox').select('id').execute()).length, 1);
    assert.equal((await service.account(key)).free_customers_count, 1);
    assert.deepEqual((await service.createPage(key, { name: 'Home' })).outcome, nameTaken);
    assert.deepEqual((await service.createCustomer(key, {})).outcome, subdomainTaken);
  });

  test('a repeated response has the id of the created object if the client prefers a representation', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const prefer = { Prefer: 'respond-async, return=representation' };
    const [first, again] = [
      await service.createPage(key, { name: 'Home' }, { ...once, ...prefer }),
      await service.createPage(key, { name: 'Home' }, { ...once, ...prefer }),
    ];
    const [home] = await service.pages(key);
    assert.deepEqual(first.outcome, [200, { response: true, errors: [], id: home!.id }]);
    assert.deepEqual([again.outcome, again.headers['preference-applied']], [first.outcome, 'return=representation']);
    const other = await service.createPage(key, { name: 'Home' }, once);
    assert.equal(other.json.errors[0][0], 'idempotency_key');

    const alone = await service.createPage(key, { name: 'Team' }, prefer);
    assert.deepEqual(alone.json, { response: true, errors: [], id: (await service.pages(key))[1]!.id });
    assert.match(String((await service.createCustomer(key, {}, prefer)).json.id), /^account_\d+$/);
    const refused = await service.createCustomer(key, {}, prefer);
    assert.deepEqual([refused.outcome, refused.headers['preference-applied']], [subdomainTaken, undefined]);
  });

  test('a request counts as the same in any encoding and order of its fields', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    await service.createPage(key, { name: 'Home', body: 'x' }, once);
    const target = `/api/pages.json?api_key=${key}`;
    const json = { 'Content-Type': 'application/json' };
    const asJson = { headers: { ...json, ...once }, body: '{"page":{"body":"x","name":"Home"}}' };
    assert.deepEqual((await service.request('POST', target, asJson)).outcome, pageCreated);
    const asForm = await service.request('POST', `${target}&page[body]=x&page%5Bname%5D=Home&other=1`, {
      headers: once,
    });
    assert.deepEqual(asForm.outcome, pageCreated);
    const quoted = await service.createPage(key, { name: 'Home', body: 'x' }, { 'Idempotency-Key': '"3f1c-1"' });
    assert.deepEqual(quoted.outcome, pageCreated);
    assert.equal((await service.pages(key)).length, 1);
  });

  test('a failure is repeated too, even if the request would succeed by now', async (t) => {
    const { service, key, db } = await startWithAccount(t, open);
    await service.createPage(key, { name: 'Home' });
    assert.deepEqual((await service.createPage(key, { name: 'Home' }, once)).outcome, nameTaken);
    await db.transaction().execute((trx) => trx.deleteFrom('pages').execute());
    assert.deepEqual((await service.createPage(key, { name: 'Home' }, once)).outcome, nameTaken);
    assert.deepEqual((await service.createPage(key, { name: 'Home' })).outcome, pageCreated);

    const short = { user_password: 'short' };
    const refused = await service.createCustomer(key, short, { 'Idempotency-Key': 'c' });
    assert.deepEqual((await service.createCustomer(key, short, { 'Idempotency-Key': 'c' })).outcome, refused.outcome);
    assert.equal(refused.status, 422);
  });

  test('after a malformed request, its Idempotency-Key can be used again', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const malformed = await service.post('/api/pages.json', key, { page: 'x' }, once);
    assert.equal(malformed.status, 400);
    assert.deepEqual((await service.createPage(key, { name: 'Home' }, once)).outcome, pageCreated);
  });

  test('a request is refused with 422 if its Idempotency-Key was used for a different request', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    await service.createPage(key, { name: 'Home' }, once);
    for (const other of [{ name: 'Other' }, { name: 'Home', body: '' }, { name: 'home' }, { body: 'Home' }] as const) {
      assert.deepEqual((await service.createPage(key, { ...other }, once)).outcome, [
        422,
        { response: false, errors: [['idempotency_key', 'has already been used for a different request']] },
      ]);
    }
    assert.deepEqual((await service.createCustomer(key, {}, once)).outcome, [
      422,
      { response: false, errors: ['Idempotency-Key has already been used for a different request'] },
    ]);
    assert.equal((await service.pages(key)).length, 1);
    assert.equal((await service.account(key)).free_customers_count, 0);
  });

  test('another API key of the account does not get the stored response', async (t) => {
    const { service, key, db, accountId, userId } = await startWithAccount(t, open);
    const second = await db
      .transaction()
      .execute((trx) => issueApiKey(trx, accountId, { userId, name: 'Second', expiresAt: null }));
    assert.deepEqual((await service.createPage(key, { name: 'Home' }, once)).outcome, pageCreated);
    assert.deepEqual((await service.createPage(second.key, { name: 'Home' }, once)).outcome, nameTaken);
    assert.deepEqual((await service.createPage(key, { name: 'Home' }, once)).outcome, pageCreated);
  });

  test('a stored response survives a restart, and every process returns it', async (t) => {
    const { service, key, database } = await startWithAccount(t, open);
    await service.createPage(key, { name: 'Home' }, once);
    const second = await startService(t, database);
    assert.deepEqual((await second.createPage(key, { name: 'Home' }, once)).outcome, pageCreated);
    await Promise.all([service.stop(), second.stop()]);
    const db = await openDatabase(database.config);
    const after = await startService(t, { ...database, db });
    assert.deepEqual((await after.createPage(key, { name: 'Home' }, once)).outcome, pageCreated);
    assert.equal((await after.pages(key)).length, 1);
    await after.stop();
    await db.destroy();
  });

  test('a stored response expires after 24 hours', async (t) => {
    const { service, key, db } = await startWithAccount(t, open);
    await service.createPage(key, { name: 'Home' }, once);
    const age = (milliseconds: number) =>
      db.transaction().execute((trx) =>
        trx
          .updateTable('idempotency')
          .set({ created_at: Date.now() - milliseconds } as never)
          .execute(),
      );
    await age(RETENTION_MS - 60_000);
    assert.equal(await pruneStoredResponses(db), 0);
    assert.deepEqual((await service.createPage(key, { name: 'Home' }, once)).outcome, pageCreated);
    await age(RETENTION_MS + 1);
    // An expired response is ignored even before it is deleted, and for a different request too.
    assert.deepEqual((await service.createPage(key, { name: 'Home' }, once)).outcome, nameTaken);
    assert.deepEqual((await service.createPage(key, { name: 'Home' }, once)).outcome, nameTaken);
    await age(RETENTION_MS + 1);
    assert.deepEqual((await service.createPage(key, { name: 'Other' }, once)).outcome, pageCreated);
    await age(RETENTION_MS + 1);
    assert.equal(await pruneStoredResponses(db), 1);
    assert.equal((await service.pages(key)).length, 2);
  });

  test('expired responses are deleted in batches', async (t) => {
    const { service, key, db } = await startWithAccount(t, open);
    for (let count = 0; count < 6; count++) {
      await service.createPage(key, { name: `Page ${count}` }, { 'Idempotency-Key': `${count}` });
    }
    await db.transaction().execute((trx) =>
      trx
        .updateTable('idempotency')
        .set({ created_at: Date.now() - RETENTION_MS } as never)
        .where('key', '!=', '3')
        .execute(),
    );
    const { db: counting, deletions } = countingDeletions(db);
    assert.equal(await pruneStoredResponses(counting, 2), 5);
    assert.deepEqual(deletions, [2, 2, 1]);
    const left = await db.selectFrom('idempotency').select('key').execute();
    assert.deepEqual(
      left.map((answer) => answer.key),
      ['3'],
    );
  });

  test('an Idempotency-Key must have 1 to 255 printable ASCII characters', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const message = 'must be 1 to 255 printable ASCII characters without spaces';
    for (const bad of ['', ' ', '""', 'a b', 'x'.repeat(256), 'é', '"a"b" c']) {
      const page = await service.createPage(key, { name: 'Home' }, { 'Idempotency-Key': bad });
      assert.deepEqual(page.outcome, [422, { response: false, errors: [['idempotency_key', message]] }], bad);
      const customer = await service.createCustomer(key, {}, { 'Idempotency-Key': bad });
      assert.deepEqual(customer.outcome, [422, { response: false, errors: [`Idempotency-Key ${message}`] }], bad);
    }
    assert.deepEqual(await service.pages(key), []);
    const longest = { 'Idempotency-Key': 'x'.repeat(255) };
    assert.deepEqual((await service.createPage(key, { name: 'Home' }, longest)).outcome, pageCreated);
    assert.deepEqual((await service.createPage(key, { name: 'Home' }, longest)).outcome, pageCreated);
  });

  test('of 20 simultaneous requests to two processes, one is executed, and all get its response', async (t) => {
    const { service, key, database, db } = await startWithAccount(t, open);
    // A second connection to the same database, as another process has.
    const secondDb = await openDatabase(database.config);
    const second = await startService(t, { ...database, db: secondDb });
    const services = Array.from({ length: 20 }, (_, index) => (index % 2 ? service : second));
    const pages = await Promise.all(services.map((one) => one.createPage(key, { name: 'Home' }, once)));
    for (const reply of pages) assert.deepEqual(reply.outcome, pageCreated);
    const customers = await Promise.all(
      services.map((one) => one.createCustomer(key, {}, { 'Idempotency-Key': 'customer' })),
    );
    for (const reply of customers) assert.deepEqual(reply.outcome, customerCreated);
    // Simultaneous failures get one response, too.
    const failures = await Promise.all(
      services.map((one) => one.createPage(key, { name: 'Home' }, { 'Idempotency-Key': 'failure' })),
    );
    for (const reply of failures) assert.deepEqual(reply.outcome, nameTaken);
    assert.equal((await service.pages(key)).length, 1);
    assert.equal((await service.account(key)).free_customers_count, 1);
    assert.equal((await db.selectFrom('outbox').select('id').execute()).length, 1);
    await second.stop();
    await secondDb.destroy();
  });

  test('of different simultaneous requests with one Idempotency-Key, only one kind succeeds', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => service.createPage(key, { name: `Page ${index % 2}` }, once)),
    );
    const names = (await service.pages(key)).map(({ name }) => name);
    assert.equal(names.length, 1);
    for (const [index, { status }] of replies.entries()) {
      assert.equal(status, names[0] === `Page ${index % 2}` ? 200 : 422);
    }
  });

  test('a stored response contains the request’s fields only as an HMAC', async (t) => {
    const { service, key, db } = await startWithAccount(t, open);
    await service.createCustomer(key, {}, once);
    const [row] = await db.selectFrom('idempotency').selectAll().execute();
    assert.match(row!.fingerprint, /^[0-9a-f]{64}$/);
    const stored = JSON.stringify(row);
    for (const value of Object.values(customerFields())) assert.ok(!stored.includes(value), value);
  });
});

test('a fingerprint is an HMAC of the operation and the sorted fields', () => {
  const fields = { name: 'Home', body: '😀"', is_hidden: '1' };
  const sorted = '["create page",[["body","😀\\""],["is_hidden","1"],["name","Home"]]]';
  const expected = createHmac('sha256', 'key').update(sorted).digest('hex');
  assert.equal(fingerprintOf('key', 'create page', fields), expected);
});
