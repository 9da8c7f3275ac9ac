import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { runCli, runCliJson } from '../../test/cli.ts';
import { onEachDatabase, type TestDatabase } from '../../test/databases.ts';
import { makeAccount, makeCustomer } from '../../test/factories.ts';
import { overlapping } from '../../test/overlap.ts';
import { PASSWORD, type Person, signedInAs } from '../../test/person.ts';
import { type Service, startService, startWithAccount } from '../../test/service.ts';
import { visit } from '../../test/visit.ts';
import { readConfig } from '../config.ts';
import type { Db, Trx } from '../db/database.ts';
import { openTransport } from '../mail/open-transport.ts';
import { addMedia } from '../media/add-media.ts';
import { openMediaStore } from '../media/open-store.ts';
import { tableNames } from '../operations/tables.ts';
import { deleteAccount } from './delete-account.ts';
import { pruneReleasedSubdomains } from './prune-released-subdomains.ts';

const DAY = 24 * 60 * 60 * 1000;
const addresses = {
  mailFrom: 'no-reply@freehold.test',
  publicUrl: 'http://localhost:8080',
  sitesDomain: 'localhost:8080',
};
const healthy = { ok: true, problems: [], notes: [] };

onEachDatabase('deleting an account', (open) => {
  test('leaves nothing of it but its lines in the ledger of its seller', async (t) => {
    const { service, db, database, accountId: seller, key } = await startWithAccount(t, open);
    const { config } = database;
    const id = await makeCustomer(db, seller, 'bakery');
    const person = await signedInAs(service, db, id);
    const itsKey = await fill(person, service, database, id);
    const ofNobody = ['accounts', 'plans', 'plan_changes', 'sign_in_attempts', 'released_subdomains'];
    const its = tableNames.filter((table) => !ofNobody.includes(table));
    for (const table of its) assert.notEqual((await rowsOf(db, table, id)).length, 0, table);
    assert.equal((await visit(service, 'bakery.localhost', '/')).status, 200);
    assert.equal((await service.account(key)).free_customers_count, 1);

    const transport = openTransport({ ...config, smtpUrl: '', ...addresses });
    const messages = await db.selectFrom('outbox').selectAll().execute();
    for (const message of messages) await transport.send(message);
    const kept = await readdir(join(config.dataDir, 'mail'));

    // While others write to it.
    const [{ account }] = await Promise.all([
      runCliJson(config, 'account', 'delete', 'bakery', '--yes', 'bakery'),
      ...Array.from({ length: 20 }, (_, index) =>
        service.createPage(itsKey, { name: `Page ${index}` }, { 'Idempotency-Key': `page-${index}` }),
      ),
    ]);
    assert.deepEqual(account, { id: `account_${id}`, subdomain: 'bakery', status: 'deleted' });

    for (const table of its) assert.deepEqual(await rowsOf(db, table, id), [], table);
    assert.deepEqual(await readdir(join(config.dataDir, 'media', String(id))), []);
    const others = messages.filter((message) => message.account_id !== id).map((message) => `${message.id}-`);
    const left = await readdir(join(config.dataDir, 'mail'));
    assert.ok(left.length < kept.length, kept.join());
    assert.deepEqual(left.map((name) => /^\d+-/.exec(name)![0]).sort(), others.sort());
    assert.deepEqual(await runCliJson(config, 'doctor'), healthy);
    const [gone, nobodys] = [
      await visit(service, 'bakery.localhost', '/'),
      await visit(service, 'nobody.localhost', '/'),
    ];
    assert.deepEqual([gone.status, gone.text], [404, nobodys.text]);
    assert.equal((await person.get('session')).status, 401);
    assert.equal((await service.get('/api/account.json', itsKey)).status, 401);
    assert.equal((await service.account(key)).free_customers_count, 0);
    const ledger = await db.selectFrom('plan_changes').select('kind').where('customer_id', '=', id).execute();
    assert.deepEqual(
      ledger.map(({ kind }) => kind),
      ['created', 'suspended'],
    );
    // Attempts are counted for a day, whoever they were of; subdomains are kept from others.
    const forLater = ['released_subdomains', 'sign_in_attempts'];
    for (const table of tableNames.filter((name) => !forLater.includes(name))) {
      const { rows } = await sql`select * from ${sql.table(table)}`.execute(db);
      assert.doesNotMatch(JSON.stringify(rows), /bakery|Carl/, table);
    }

    const { customers } = await runCliJson(config, 'customer', 'list');
    assert.deepEqual(customers, []);
    for (const who of ['bakery', `account_${id}`, String(id)]) {
      assert.equal((await runCli(config, 'account', 'show', who)).code, 1, who);
    }
  });

  test('refuses what is under way as if it had come later', async (t) => {
    const { service, db, accountId: seller } = await startWithAccount(t, open);
    for (const ask of [
      async (_: Person, key: string) => service.createPage(key, { name: 'Late' }, { 'Idempotency-Key': 'late' }),
      async (person: Person) => person.post('keys', { name: 'Late' }),
      async (person: Person, _: string, page: { id: number; version: number }) =>
        person.put(`pages/${page.id}/draft`, { fields: { name: 'Late' }, basedOn: page.version, draftAt: null }),
    ]) {
      const id = await makeCustomer(db, seller);
      const person = await signedInAs(service, db, id);
      const page = (await person.post('pages', { name: 'Bread' })).json;
      const { key } = (await person.post('keys', { name: 'Shop' })).json;
      const deleting = (trx: Trx) => deleteAccount(trx, id, { releaseSubdomain: true, actor: 'operator' });
      const reply = await overlapping(db, deleting, () => ask(person, key, page));
      assert.equal(reply.status, 401, reply.text);
    }
  });

  test('keeps its subdomain from others for 90 days, unless it is told not to', async (t) => {
    const database = await open(t);
    const { db, config } = database;
    const { accountId: seller, key } = await makeAccount(db, 'acme');
    for (const [subdomain, more, until] of [
      ['bakery', [], /^2\d{3}-\d\d-\d\d .* \+0000$/],
      ['florist', ['--release-subdomain'], /^null$/],
    ] as const) {
      await makeCustomer(db, seller, subdomain);
      const deleted = await runCliJson(config, 'account', 'delete', subdomain, '--yes', subdomain, ...more);
      assert.match(String(deleted.subdomain_held_until), until);
    }
    // The operator is told until when; others learn no more than that it is taken.
    const { released_at } = await db.selectFrom('released_subdomains').selectAll().executeTakeFirstOrThrow();
    const until = new Date(released_at + 90 * DAY).toISOString().slice(0, 19).replace('T', ' ');
    const kept = `has already been taken: an account gave it up, and it is kept from others until ${until} +0000.\n`;
    const owner = ['--user-name', 'O', '--user-email', 'o@example.com'];
    const set = await runCli(config, 'setup', '--account-name', 'B', '--subdomain', 'Bakery', ...owner);
    assert.deepEqual([set.code, set.error], [1, `--subdomain ${kept}`]);
    const moved = await runCli(config, 'account', 'subdomain', 'acme', 'bakery');
    assert.deepEqual([moved.code, moved.error], [1, `Subdomain ${kept}`]);
    const of = await runCli(config, 'account', 'subdomain', 'acme', 'bakery', '--json');
    assert.equal(JSON.parse(of.error).error.code, 'conflict');
    const service = await startService(t, database);
    const { outcome } = await service.createCustomer(key, { account_subdomain: 'bakery' });
    assert.deepEqual(outcome, [422, { response: false, errors: ['Your URL has already been taken'] }]);
    await assert.rejects(makeCustomer(db, seller, 'bakery'), /taken/);
    await makeCustomer(db, seller, 'florist');
    assert.equal(await pruneReleasedSubdomains(db, Date.now() + 89 * DAY), 0);
    assert.equal(await pruneReleasedSubdomains(db, Date.now() + 90 * DAY), 1);
    await makeCustomer(db, seller, 'bakery');
    assert.deepEqual(await runCliJson(config, 'doctor'), healthy);
  });

  test('is refused where another one may be meant, and while it has customers', async (t) => {
    const { db, config } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    const id = await makeCustomer(db, accountId, 'bakery');
    await db.transaction().execute((trx) => sql`update accounts set name = 'The bakery' where id = ${id}`.execute(trx));
    const unsure = await runCli(config, 'account', 'delete', `account_${id}`, '--yes', 'acme');
    const expected = `--yes is not "bakery", the subdomain of "The bakery" (account_${id}).\n`;
    assert.deepEqual([unsure.code, unsure.error], [2, expected]);
    assert.equal((await runCli(config, 'account', 'delete', 'bakery')).code, 2);
    const parent = await runCli(config, 'account', 'delete', 'acme', '--yes', 'acme');
    const refusal = '"acme" has a customer: see customer list. Delete them first.\n';
    assert.deepEqual([parent.code, parent.error], [1, refusal]);

    for (const subdomain of ['bakery', 'acme']) {
      await runCliJson(config, 'account', 'delete', subdomain, '--yes', subdomain);
    }
    assert.deepEqual(await runCliJson(config, 'account', 'list', '--all'), { accounts: [] });
    assert.deepEqual(await runCliJson(config, 'plan', 'list'), { plans: [] });
    assert.deepEqual(await runCliJson(config, 'doctor'), healthy);
    const file = join(config.dataDir, 'backup.gz');
    await runCliJson(config, 'backup', file);
    await runCliJson(config, 'restore', file, '--replace');
    assert.deepEqual(await runCliJson(config, 'doctor'), healthy);
  });
});

/** Makes the account have something in every table, and returns a key of it. */
async function fill(person: Person, service: Service, { db, config }: TestDatabase, id: number): Promise<string> {
  const parent = (await person.post('pages', { name: 'Bread', body: '<p>bakery</p>' })).json;
  const page = (await person.post('pages', { name: 'Rolls', parentId: parent.id })).json;
  await person.patch(`pages/${page.id}`, { name: 'Buns', urlname: 'buns' }, { 'If-Match': '*' });
  await person.put(`pages/${page.id}/draft`, { fields: { name: 'Cakes' }, basedOn: page.version, draftAt: null });
  const doomed = (await person.post('pages', { name: 'Stale' })).json;
  await person.delete(`pages/${doomed.id}`);
  await person.post('users', { name: 'Ed', email: 'ed@bakery.example', role: 'editor' });
  await person.post('domains', { host: 'www.bakery.example' });
  const domain = (await person.post('domains', { host: 'bakery.example' })).json;
  await person.delete(`domains/${domain.id}`);
  await person.post('second-factor', { current: PASSWORD });
  const { key } = (await person.post('keys', { name: 'bakery' })).json;
  await service.createPage(key, { name: 'Once' }, { 'Idempotency-Key': 'once' });

  const { user_id: userId } = await db
    .selectFrom('sessions')
    .select('user_id')
    .where('account_id', '=', id)
    .executeTakeFirstOrThrow();
  const hash = 'a'.repeat(32);
  const image = { hash, kind: 'png', width: 2, height: 1, isMoving: false, name: 'bakery.png' } as const;
  const files = { folder: `${id}/${hash}-1`, files: { [`${hash}-2x1.webp`]: 1 } };
  await openMediaStore(readConfig({ DATA_DIR: config.dataDir })).put(
    `${files.folder}/${hash}-2x1.webp`,
    Buffer.from('x'),
  );
  await db.transaction().execute(async (trx) => {
    await addMedia(trx, id, { ...image, ...files, userId, quota: 10 });
    await trx.insertInto('recovery_codes').values({ account_id: id, user_id: userId, hash, used_at: null }).execute();
    await sql`insert into passkeys (account_id, user_id, name, credential_id, public_key, counter, transports,
      may_be_backed_up, is_backed_up, created_at) values (${id}, ${userId}, 'bakery', 'a', 'b', 0, '', 0, 0, 1)`.execute(
      trx,
    );
    await sql`insert into passkey_challenges (hash, account_id, user_id, expires_at)
      values ('a', ${id}, ${userId}, ${Date.now() + DAY})`.execute(trx);
  });
  return key;
}

async function rowsOf(db: Db, table: string, accountId: number): Promise<unknown[]> {
  return (await sql`select 1 from ${sql.table(table)} where account_id = ${accountId}`.execute(db)).rows;
}
