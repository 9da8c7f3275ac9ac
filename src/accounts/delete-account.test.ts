import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { runCli, runCliJson } from '../../test/cli.ts';
import { onEachDatabase, type TestDatabase } from '../../test/databases.ts';
import { countingDeletions } from '../../test/deletions.ts';
import { actor, makeAccount, makeCustomer, makePage, quota } from '../../test/factories.ts';
import { photo } from '../../test/images.ts';
import { overlapping } from '../../test/overlap.ts';
import { PASSWORD, Person, signedInAs } from '../../test/person.ts';
import { type Service, startService, startWithAccount } from '../../test/service.ts';
import { visit } from '../../test/visit.ts';
import { operator } from '../audit/record-audit-event.ts';
import { readConfig } from '../config.ts';
import { startImport } from '../customer-imports/start-import.ts';
import { addNote } from '../customers/notes.ts';
import { type Db, dialectOf, type Trx } from '../db/database.ts';
import { changeAgencyAccess } from '../impersonations/agency-access.ts';
import { startImpersonation } from '../impersonations/start-impersonation.ts';
import { openTransport } from '../mail/open-transport.ts';
import { addMedia } from '../media/add-media.ts';
import { openMediaStore } from '../media/open-store.ts';
import { registerClient } from '../oauth/client.ts';
import { tableNames } from '../operations/tables.ts';
import { saveDraft } from '../pages/drafts.ts';
import { refreshSearch } from '../pages/search-index.ts';
import { runMaintenance } from '../service/maintenance.ts';
import { getAccount } from './account.ts';
import { deleteAccount } from './delete-account.ts';
import { pruneReleasedSubdomains } from './prune-released-subdomains.ts';
import { purgeAccount, purgeDeletedAccounts } from './purge-accounts.ts';

const DAY = 24 * 60 * 60 * 1000;
const addresses = {
  mailFrom: 'no-reply@freehold.test',
  publicUrl: 'http://localhost:8080',
  sitesDomain: 'localhost:8080',
};
/** The tables in which a deleted account may keep rows. */
const tablesWithRemains = [
  'accounts',
  'plans',
  'price_changes',
  'plan_changes',
  'revenue_lines',
  'plan_revenue_lines',
  'sign_in_attempts',
  'released_subdomains',
];
const healthy = { ok: true, problems: [], notes: [] };

onEachDatabase('deleting an account', (open) => {
  test("deleting an account leaves nothing but its lines in its seller's ledger and log", async (t) => {
    const { service, db, database, accountId: seller, key } = await startWithAccount(t, open);
    const { config } = database;
    const id = await makeCustomer(db, seller, 'bakery');
    const person = await signedInAs(service, db, id);
    const itsKey = await fill(person, service, database, id);
    const emptied = tableNames.filter((table) => !tablesWithRemains.includes(table));
    for (const table of emptied) assert.notEqual((await rowsOf(db, table, id)).length, 0, table);
    assert.equal((await visit(service, 'bakery.localhost', '/')).status, 200);
    assert.equal((await service.account(key)).free_customers_count, 1);

    const transport = openTransport({ ...config, smtpUrl: '', ...addresses });
    const messages = await db.selectFrom('outbox').selectAll().execute();
    for (const message of messages) await transport.send(message);
    const filesBefore = await readdir(join(config.dataDir, 'mail'));

    // Deletes the account while requests write to it.
    const [{ account }] = await Promise.all([
      runCliJson(config, 'account', 'delete', 'bakery', '--yes', 'bakery'),
      ...Array.from({ length: 20 }, (_, index) =>
        service.createPage(itsKey, { name: `Page ${index}` }, { 'Idempotency-Key': `page-${index}` }),
      ),
    ]);
    assert.deepEqual(account, { id: `account_${id}`, subdomain: 'bakery', status: 'deleted' });

    for (const table of emptied) assert.deepEqual(await rowsOf(db, table, id), [], table);
    assert.deepEqual(await readdir(join(config.dataDir, 'media', String(id))), []);
    const others = messages.filter((message) => message.account_id !== id).map((message) => `${message.id}-`);
    const filesAfter = await readdir(join(config.dataDir, 'mail'));
    assert.ok(filesAfter.length < filesBefore.length, filesBefore.join());
    assert.deepEqual(filesAfter.map((name) => /^\d+-/.exec(name)![0]).sort(), others.sort());
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
    // Attempts are counted for a day, and the subdomain stays reserved.
    const forLater = ['released_subdomains', 'sign_in_attempts'];
    for (const table of tableNames.filter((name) => !forLater.includes(name))) {
      const { rows } = await sql<{ action?: string }>`select * from ${sql.table(table)}`.execute(db);
      const others = rows.filter(
        ({ action = '' }) => !/^customer\.(created|note_added|impersonation_started|deleted)$/.test(action),
      );
      assert.doesNotMatch(JSON.stringify(others), /bakery|Carl/, table);
    }

    const { customers } = await runCliJson(config, 'customer', 'list');
    assert.deepEqual(customers, []);
    for (const who of ['bakery', `account_${id}`, String(id)]) {
      assert.equal((await runCli(config, 'account', 'show', who)).code, 1, who);
    }
  });

  test('deleting an account ends all access at once, and the purge survives interruptions', async (t) => {
    const { service, db, database, accountId: seller, key } = await startWithAccount(t, open);
    const { config } = database;
    const id = await makeCustomer(db, seller, 'bakery');
    const person = await signedInAs(service, db, id);
    const itsKey = await fill(person, service, database, id);
    await fillMany(db, id);
    const store = openMediaStore(readConfig({ DATA_DIR: config.dataDir }));
    const { email } = await db
      .selectFrom('users')
      .select('email')
      .where('account_id', '=', id)
      .executeTakeFirstOrThrow();
    await db.transaction().execute((trx) => sql`update domains set verified_at = 1`.execute(trx));
    const signIn = () => new Person(service).post('sign-in', { email, password: 'correct horse', account: 'bakery' });
    assert.equal((await signIn()).status, 200);
    assert.equal((await visit(service, 'www.bakery.example', '/')).status, 200);

    const { db: counting, deletions } = countingDeletions(db);
    const input = { releaseSubdomain: false };
    await counting.transaction().execute((trx) => deleteAccount(trx, id, input, operator));
    const nobodys = await visit(service, 'nobody.localhost', '/');
    for (const host of ['bakery.localhost', 'www.bakery.example', `account_${id}.localhost`]) {
      const gone = await visit(service, host, '/');
      assert.deepEqual([gone.status, gone.text], [404, nobodys.text], host);
    }
    assert.equal((await person.get('session')).status, 401);
    assert.equal((await signIn()).status, 401);
    assert.equal((await new Person(service).post('forgotten-password', { email })).status, 204);
    assert.equal((await service.get('/api/account.json', itsKey)).status, 401);
    assert.equal((await service.createPage(itsKey, { name: 'Late' })).status, 401);
    assert.equal((await service.account(key)).free_customers_count, 0);
    for (const who of ['bakery', `account_${id}`]) {
      assert.equal((await runCli(config, 'account', 'show', who)).code, 1, who);
    }
    assert.deepEqual(await rowsOf(db, 'outbox', id), []);
    await refreshSearch(db, id, 1000);
    assert.deepEqual(await rowsOf(db, 'search_accounts', id), []);
    const message = `account_${id} is deleted; the service deletes the rest of its data within an hour.`;
    const unfinished = { ok: true, problems: [], notes: [{ check: 'tenants', message }] };
    assert.deepEqual(await runCliJson(config, 'doctor'), unfinished);

    // Each interruption comes a few transactions later than the one before.
    const removeFiles = (keys: readonly string[]) => store.remove(keys);
    const interrupted = async (after: number) => {
      let count = 0;
      const failing = counting.withPlugin({
        transformQuery: ({ node }) => {
          if (count++ >= after) throw new Error('interrupted');
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      await assert.rejects(purgeAccount(failing, id, removeFiles), /interrupted/);
    };
    for (const after of [3, 10, 20, 30]) {
      await interrupted(after);
      assert.deepEqual(await runCliJson(config, 'doctor'), unfinished);
    }
    const warnings: unknown[] = [];
    const log = { warn: (...words: unknown[]) => void warnings.push(words) };
    await runMaintenance({ db: counting, store, dataDir: config.dataDir, log });
    assert.deepEqual(warnings, []);
    assert.equal(Math.max(...deletions), 100, 'the most rows that one statement deleted');
    for (const table of tableNames.filter((name) => !tablesWithRemains.includes(name))) {
      assert.deepEqual(await rowsOf(db, table, id), [], table);
    }
    if (dialectOf(db) === 'sqlite') {
      assert.deepEqual((await sql`select rowid from search_words`.execute(db)).rows, []);
    }
    assert.deepEqual(await runCliJson(config, 'doctor'), healthy);
    assert.equal(await purgeDeletedAccounts(db, removeFiles), 0);
  });

  test('one transaction of a purge deletes only a few long texts', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db, 'acme');
    const body = 'x'.repeat(600_000);
    for (let count = 0; count < 3; count++) {
      const id = await makePage(db, accountId, { userId, body });
      const draft = { id, userId, fields: { body }, basedOn: 1, draftAt: null, quota };
      await db.transaction().execute((trx) => saveDraft(trx, accountId, draft));
    }
    await db.transaction().execute((trx) => deleteAccount(trx, accountId, { releaseSubdomain: true }, operator));
    const { db: counting, deletions } = countingDeletions(db);
    await purgeAccount(counting, accountId, async () => {});
    assert.ok(!deletions.includes(3), `deleted by one statement each: ${deletions}`);
    assert.deepEqual(await db.selectFrom('pages').select('id').execute(), []);
  });

  test('a deleted account that is not fully purged after a day is reported by doctor', async (t) => {
    const { db, config } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    await db.transaction().execute(async (trx) => {
      await deleteAccount(trx, accountId, { releaseSubdomain: true }, operator);
      await sql`update accounts set deleted_at = deleted_at - ${DAY}`.execute(trx);
    });
    const { problems } = JSON.parse((await runCli(config, 'doctor', '--json')).out);
    const message = `account_${accountId}: it was deleted more than a day ago, but some of its data is left. Check that the service is running.`;
    assert.deepEqual(problems, [{ check: 'tenants', message }]);
  });

  test('deleting an account succeeds if its image files cannot be removed, and reports this', async (t) => {
    const { db, config } = await open(t);
    const { accountId, userId } = await makeAccount(db, 'acme');
    const hash = 'a'.repeat(32);
    const image = { hash, kind: 'png', width: 2, height: 1, isMoving: false, name: 'a.png' } as const;
    const files = { folder: `${accountId}/${hash}-1`, files: { '../a.webp': 1 } };
    await db.transaction().execute((trx) => addMedia(trx, accountId, { ...image, ...files, quota: 10 }, actor(userId)));
    const { code, out } = await runCli(config, 'account', 'delete', 'acme', '--yes', 'acme');
    assert.equal(code, 1);
    assert.match(out, /is deleted\.\n.*\nFiles of its images are still there: .* is not the key of an image/);
    assert.deepEqual(await rowsOf(db, 'users', accountId), []);
  });

  test('requests that overlap the deletion of their account are refused as unauthorized', async (t) => {
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
      const deleting = (trx: Trx) => deleteAccount(trx, id, { releaseSubdomain: true }, operator);
      const reply = await overlapping(db, deleting, () => ask(person, key, page));
      assert.equal(reply.status, 401, reply.text);
    }
  });

  test('the subdomain of a deleted account stays reserved for 90 days, unless it is released', async (t) => {
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
    // The operator is told the end of the reservation; others learn only that the subdomain is taken.
    const { released_at } = await db.selectFrom('released_subdomains').selectAll().executeTakeFirstOrThrow();
    const until = new Date(released_at + 90 * DAY).toISOString().slice(0, 19).replace('T', ' ');
    const reserved = `has already been taken: another account used it recently, and it stays reserved until ${until} +0000.\n`;
    const owner = ['--user-name', 'O', '--user-email', 'o@example.com'];
    const set = await runCli(config, 'setup', '--account-name', 'B', '--subdomain', 'Bakery', ...owner);
    assert.deepEqual([set.code, set.error], [1, `--subdomain ${reserved}`]);
    const moved = await runCli(config, 'account', 'subdomain', 'acme', 'bakery');
    assert.deepEqual([moved.code, moved.error], [1, `Subdomain ${reserved}`]);
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

  test('deleting an account is refused if the confirmation is wrong, and while it has customers', async (t) => {
    const { db, config } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    const id = await makeCustomer(db, accountId, 'bakery');
    await db.transaction().execute((trx) => sql`update accounts set name = 'The bakery' where id = ${id}`.execute(trx));
    const unsure = await runCli(config, 'account', 'delete', `account_${id}`, '--yes', 'acme');
    const expected = `--yes is not "bakery", the subdomain of "The bakery" (account_${id}).\n`;
    assert.deepEqual([unsure.code, unsure.error], [2, expected]);
    assert.equal((await runCli(config, 'account', 'delete', 'bakery')).code, 2);
    const parent = await runCli(config, 'account', 'delete', 'acme', '--yes', 'acme');
    const refusal = 'The account has customers of its own. Delete them first.\n';
    assert.deepEqual([parent.code, parent.error], [1, refusal]);

    for (const subdomain of ['bakery', 'acme']) {
      await runCliJson(config, 'account', 'delete', subdomain, '--yes', subdomain);
    }
    assert.deepEqual(await runCliJson(config, 'account', 'list', '--all'), { accounts: [] });
    assert.deepEqual(await runCliJson(config, 'plan', 'list'), { plans: [] });
    assert.deepEqual(await runCliJson(config, 'doctor'), healthy);
    const file = join(config.dataDir, 'backup.zst');
    await runCliJson(config, 'backup', file);
    await runCliJson(config, 'restore', file, '--replace');
    assert.deepEqual(await runCliJson(config, 'doctor'), healthy);
  });
});

/** Creates a row of the account in every table, and returns one of its API keys. */
async function fill(person: Person, service: Service, { db, config }: TestDatabase, id: number): Promise<string> {
  const parent = (await person.post('pages', { name: 'Bread', body: `<p>bakery</p>/media/${'a'.repeat(32)}-` })).json;
  const page = (await person.post('pages', { name: 'Rolls', parentId: parent.id })).json;
  // Only published addresses become redirects.
  for (const { id, version } of [parent, page]) {
    await person.post(`pages/${id}/publish`, { fields: {} }, { 'If-Match': `"${version}"` });
  }
  await person.patch(`pages/${page.id}`, { name: 'Buns', urlname: 'buns' }, { 'If-Match': '*' });
  await person.put(`pages/${page.id}/draft`, { fields: { name: 'Cakes' }, basedOn: page.version, draftAt: null });
  const doomed = (await person.post('pages', { name: 'Stale' })).json;
  await person.delete(`pages/${doomed.id}`);
  await person.post('users', { name: 'Ed', email: 'ed@bakery.example', role: 'editor' });
  await person.post('domains', { host: 'www.bakery.example' });
  await person.put('brand', { name: 'Bakery' });
  const { templates } = (await person.post('templates', { siteId: id, name: 'Bakery' })).json;
  await person.uploadTo('brand/images?kind=icon', await photo(8, 8));
  const domain = (await person.post('domains', { host: 'bakery.example' })).json;
  await person.delete(`domains/${domain.id}`);
  await person.post('second-factor', { current: PASSWORD });
  const { key } = (await person.post('keys', { name: 'bakery' })).json;
  await service.createPage(key, { name: 'Once' }, { 'Idempotency-Key': 'once' });
  const redirectUri = 'https://bakery.example/callback';
  await person.post('authorizations', {
    client_id: registerClient({ name: 'bakery', redirectUris: [redirectUri] }),
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
    scopes: ['pages:read'],
  });

  const { user_id: userId } = await db
    .selectFrom('sessions')
    .select('user_id')
    .where('account_id', '=', id)
    .executeTakeFirstOrThrow();
  const { parent_id: seller } = await getAccount(db, id);
  const author = await db.selectFrom('users').select('id').where('account_id', '=', seller!).executeTakeFirstOrThrow();
  await db
    .transaction()
    .execute((trx) => addNote(trx, seller!, { customerId: id, text: 'A bakery' }, actor(author.id)));
  const { plan_id } = await getAccount(db, id);
  const scheduled = { account_id: seller!, customer_id: id, plan_id: plan_id!, day: '2100-01-01', created_at: 1 };
  await db.transaction().execute((trx) =>
    trx
      .insertInto('scheduled_plan_changes')
      .values({ ...scheduled, allows_excess: 0 })
      .execute(),
  );
  await db.transaction().execute(async (trx) => {
    const input = { personId: userId, reason: 'A bakery', sessionId: 1 };
    await startImpersonation(trx, seller!, input, actor(author.id), addresses);
    await changeAgencyAccess(trx, id, { isMailed: false }, operator);
  });
  await db
    .transaction()
    .execute((trx) => trx.insertInto('customers_at_limit').values({ account_id: seller!, customer_id: id }).execute());
  const hash = 'a'.repeat(32);
  const image = { hash, kind: 'png', width: 2, height: 1, isMoving: false, name: 'bakery.png' } as const;
  const files = { folder: `${id}/${hash}-1`, files: { [`${hash}-2x1.webp`]: 1 } };
  await openMediaStore(readConfig({ DATA_DIR: config.dataDir })).put(
    `${files.folder}/${hash}-2x1.webp`,
    Buffer.from('x'),
  );
  const columns = { account_name: 0, account_subdomain: 1, user_name: 2, user_email: 3 };
  const lines = [{ number: 2, cells: ['Shop', 'shop', 'Sam', 'sam@shop.example'] }];
  await db.transaction().execute(async (trx) => {
    await startImport(trx, id, { fileName: 'shops.csv', fileHash: hash, lines, columns }, actor(userId));
    await addMedia(trx, id, { ...image, ...files, quota: 10 }, actor(userId));
    await trx.insertInto('recovery_codes').values({ account_id: id, user_id: userId, hash, used_at: null }).execute();
    await trx
      .insertInto('template_sites')
      .values({ account_id: id, template_id: templates[0].id, made_at: 1 })
      .execute();
    await trx
      .insertInto('template_pages')
      .values({ account_id: id, page_id: page.id, source_id: parent.id, version: 1, hash })
      .execute();
    const push = await trx
      .insertInto('template_pushes')
      .values({ account_id: id, template_id: templates[0].id, created_at: 1, created_by: 'Baker' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const its = { state: 'done', changed_pages: 1, left_pages: 0, result: 'bakery' } as const;
    await trx
      .insertInto('template_push_sites')
      .values({ account_id: id, push_id: push.id, ...its })
      .execute();
    await sql`insert into passkeys (account_id, user_id, name, credential_id, public_key, counter, transports,
      may_be_backed_up, is_backed_up, created_at) values (${id}, ${userId}, 'bakery', 'a', 'b', 0, '', 0, 0, 1)`.execute(
      trx,
    );
    // Customers cannot create these rows in the app, but the deletion does not rely on that.
    await sql`insert into mail_words (account_id, kind, version, changed_at, subject, text)
      values (${id}, 'invitation', 1, 1, 'To the bakery', '{link}')`.execute(trx);
    await sql`insert into brand_images (account_id, name, created_at, png) values (${id}, 'bakery', 1, '')`.execute(
      trx,
    );
    const hook = { url: 'https://bakery.example/', secret: 'bakery', created_at: 1, last_event_id: 0 };
    const webhook = await trx
      .insertInto('webhooks')
      .values({ account_id: id, ...hook, due_at: Date.now() + DAY })
      .returning('id')
      .executeTakeFirstOrThrow();
    const delivery = { event_id: 0, at: 1, duration: 1, status: 200, response: 'bakery' };
    await trx
      .insertInto('webhook_deliveries')
      .values({ account_id: id, webhook_id: webhook.id, ...delivery })
      .execute();
    await sql`insert into account_archives (account_id, user_id, actor, state, created_at, file)
      values (${id}, ${userId}, 'bakery', 'done', 1, 'bakery.zip')`.execute(trx);
    await sql`insert into passkey_challenges (hash, account_id, user_id, expires_at)
      values ('a', ${id}, ${userId}, ${Date.now() + DAY})`.execute(trx);
  });
  return key;
}

/** Fills the tables that grow without limit with more rows than one batch, and nests pages as deep as possible. */
async function fillMany(db: Db, id: number): Promise<void> {
  const { userId, keyId } = await db
    .selectFrom('api_keys')
    .select(['user_id as userId', 'id as keyId'])
    .where('account_id', '=', id)
    .executeTakeFirstOrThrow();
  const levels: number[] = [];
  while (levels.length < 30) {
    levels.push(
      await makePage(db, id, { userId, name: `Level ${levels.length}`, parentId: levels.at(-1)?.toString() }),
    );
  }
  const [root] = levels;
  const now = Date.now();
  const texts = { custom_date: '1', body_format: "''", body: "''", is_hidden: '0' };
  const many: Record<string, Record<string, unknown>> = {
    idempotency: { api_key_id: keyId, key: 'n', fingerprint: "''", status: 1, answer: "''", created_at: now },
    audit_log: { user_id: userId, actor: "''", action: "''", subject: "''", at: 1, details: "'{}'" },
    redirects: { path: 'n', page_id: root, version: 'i' },
    revisions: { page_id: root, user_id: userId, version: '1000 + i', at: 1, name: "''", urlname: "''", ...texts },
    undos: { user_id: userId, kind: "'update'", payload: "'{}'", created_at: now },
    pages: {
      parent_id: root,
      name: "'Many ' || n",
      urlname: "'many-' || n",
      position: 'i + 1',
      ...texts,
      version: 1,
      created_at: 1,
      created_by: userId,
      updated_at: 1,
      updated_by: userId,
    },
  };
  await db.transaction().execute(async (trx) => {
    for (const [table, row] of Object.entries(many)) {
      await sql`insert into ${sql.table(table)} (account_id, ${sql.raw(Object.keys(row).join())})
        with recursive counted (i) as (select 1 union all select i + 1 from counted where i < 120)
        select ${sql.lit(id)}, ${sql.raw(Object.values(row).join())}
        from (select i, cast(i as text) as n from counted) as numbers`.execute(trx);
    }
  });
  await refreshSearch(db, id, 1000);
}

async function rowsOf(db: Db, table: string, accountId: number): Promise<unknown[]> {
  // Rows of these tables belong to the seller.
  const isOfSeller = ['customer_notes', 'scheduled_plan_changes', 'customers_at_limit'].includes(table);
  const column = sql.ref(isOfSeller ? 'customer_id' : 'account_id');
  return (await sql`select 1 from ${sql.table(table)} where ${column} = ${accountId}`.execute(db)).rows;
}
