import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { type Db, dialectOf, type Trx } from '../src/db/database.ts';
import { fillFromLedger } from '../src/db/migrations/030-revenue.ts';
import { fillFirstLines, fillPlanLines } from '../src/db/migrations/044-plan-revenue.ts';
import { openDatabase } from '../src/db/open-database.ts';
import { beforeClosing, openTestDatabase, type TestDatabase } from './databases.ts';
import { makeAccount, unique } from './factories.ts';
import { signedInAs } from './person.ts';
import { type Reply, startService } from './service.ts';
import { visit } from './visit.ts';
import { withoutAutovacuum } from './without-autovacuum.ts';

/*
 * Checks that the rows that a request reads neither grow with the account nor depend on the database's statistics.
 * PostgreSQL counts the rows that it reads; on SQLite, the query plans are checked.
 */

/** The most rows that a request may read if its answer has at most 100. */
const MAX_ROWS = 1000;

/** The size of the large account, far above what any request may read. */
const PAGES = 20_000;
const CUSTOMERS = 3000;

/** When PostgreSQL last analyzed its tables, by its description in the test's name. */
const statistics = {
  'never looked at its tables': 'never',
  'has looked at tables with one large account among small ones': 'last',
  'has looked at its tables before the large account grew': 'before',
} as const;

for (const [state, analyzed] of Object.entries(statistics)) {
  for (const planned of ['force_generic_plan', 'force_custom_plan']) {
    test(`requests read few rows of a large account where PostgreSQL ${state} (${planned})`, async (t) => {
      const { db, config } = await openTestDatabase(t, 'postgres');
      await withoutAutovacuum(db);
      const large = await db.transaction().execute((trx) => fill(trx, analyzed));
      const name = new URL(config.databaseUrl).pathname.slice(1);
      await sql`alter database ${sql.id(name)} set plan_cache_mode = ${sql.lit(planned)}`.execute(db);
      // A single connection, whose statistics tell the rows that it has read.
      const own = await openDatabase({ ...config, databasePool: 1 });
      beforeClosing(t, () => own.destroy());
      const observed = { db: own, config: { ...config, databasePool: 1 } };
      const found: string[] = [];
      await eachRequest(t, observed, large, async (what, send) => {
        const before = await rowsRead(own, db);
        const reply = await send();
        const { all, tables } = difference(before, await rowsRead(own, db));
        assert.ok(reply.status < 400 || what === 'a missing page', `${what}: ${reply.status} ${reply.text}`);
        if (all > mostRows(what)) found.push(`${what} read ${all} rows: ${tables}`);
      });
      assert.deepEqual(found, []);
    });
  }
}

test('no request makes SQLite scan a large table', async (t) => {
  const database = await openTestDatabase(t, 'sqlite');
  const large = await database.db.transaction().execute((trx) => fill(trx, 'never'));
  const statements = new Set<string>();
  const prepare = DatabaseSync.prototype.prepare;
  t.mock.method(DatabaseSync.prototype, 'prepare', function (this: DatabaseSync, text: string) {
    statements.add(text);
    return prepare.call(this, text);
  });
  await eachRequest(t, database, large, async (_, send) => void (await send()));
  t.mock.restoreAll();
  assert.ok(statements.size > 30);
  const found: string[] = [];
  for (const text of statements) {
    if (!/\b(pages|page_images|audit_log|outbox|accounts|api_keys)\b/.test(text)) continue;
    const { rows } = await sql<{ detail: string }>`explain query plan ${sql.raw(text.replaceAll('?', 'null'))}`.execute(
      database.db,
    );
    // A query without a join or an order only asks whether a row exists.
    const isSelection = / join | order by /.test(text);
    for (const { detail } of rows) {
      if (isWhole(detail) || (isSelection && isAllCustomers(detail))) found.push(`${detail}: ${text}`);
    }
  }
  assert.deepEqual(found, []);
});

function isWhole(detail: string): boolean {
  // The index contains only failed messages, which are few.
  if (detail === 'SCAN outbox USING INDEX outbox_failed') return false;
  return (
    /^SCAN (pages|page_images|audit_log|outbox|accounts|api_keys)\b/.test(detail) ||
    // Reads all keys that an agency has for its customers.
    /^SEARCH api_keys\b.*\(agency_id=\?\)$/.test(detail) ||
    // Would read the account's events above the requested ones.
    /^SEARCH audit_log\b.*\(account_id>\? AND account_id<\?\)$/.test(detail) ||
    // Covering indexes are excluded, since they only serve to count an account's pages.
    /^SEARCH pages\b(?!.* COVERING INDEX).*\(account_id[=<>]\?( AND account_id<\?)?\)$/.test(detail)
  );
}

/** True if the plan reads all customers of an account, or customers of other accounts. */
function isAllCustomers(detail: string): boolean {
  return /\baccounts_\w+ \((parent_id=\?|<expr>>\?)\)/.test(detail);
}

/** Returns the most rows that the request may read. Requests for a whole account may read its pages both in indexes and in the table. */
function mostRows(what: string): number {
  return what.startsWith('all') ? 3 * PAGES + MAX_ROWS : MAX_ROWS;
}

interface Large {
  accountId: number;
  userId: number;
  key: string;
  /** A page on the third level. */
  deep: { id: number; path: string };
  /** A page with many children. */
  wide: { id: number; path: string };
}

type Observe = (what: string, send: () => Promise<Reply>) => Promise<void>;

async function eachRequest(t: TestContext, database: TestDatabase, large: Large, observe: Observe): Promise<void> {
  const service = await startService(t, database, { SITES_DOMAIN: 'sites.test' });
  const { key, deep, wide } = large;
  const person = await signedInAs(service, database.db, large.accountId);
  const site = (path: string) => () => visit(service, 'large.sites.test', path);
  // Fill the shared caches, which are not under test.
  await service.get('/api/account.json', key);
  await person.get('session');
  const { headers } = await service.get('/api/pages.json', `${key}&depth=1`);
  const { customers } = (await person.get('customers')).json;
  const [customer] = customers;
  const deletions = customers
    .slice(-10)
    .map(({ id, planId }: { id: number; planId: number }) => ({ kind: 'delete', id, seenPlanId: planId }));
  const redirects = await database.db
    .selectFrom('redirects')
    .select((e) => ['page_id as pageId', e.fn.max<number>('id').as('last')])
    .where('account_id', '=', large.accountId)
    .groupBy('page_id')
    .executeTakeFirstOrThrow();
  const subdomain = unique('bakery');
  const form = { name: 'Bakery', subdomain, userName: 'Ann', email: `${subdomain}@example.com` };
  for (const [what, send] of Object.entries({
    'the account': () => service.get('/api/account.json', key),
    'all pages': () => service.get('/api/pages.json', key),
    'a new page at the root': () => service.createPage(key, { name: unique('New') }),
    'a new page whose address is taken': () => service.createPage(key, { name: 'Many!! 7' }),
    'a new page below another': () => service.createPage(key, { name: unique('New'), parent_id: String(wide.id) }),
    'a new page deep down': () => service.createPage(key, { name: unique('New'), parent_id: String(deep.id) }),
    'what has changed of the pages': () => service.get('/api/pages.json', `${key}&since=${headers['pages-version']}`),
    'all pages by their names': () => service.get('/api/pages.json', `${key}&fields=name`),
    'a new customer': () =>
      service.createCustomer(key, { account_subdomain: unique('new'), user_email: `${unique('new')}@example.com` }),
    'the home page': site('/'),
    'a page deep down': site(deep.path),
    'a page with many children': site(wide.path),
    'the second part of its children': site(`${wide.path}?page=2`),
    'a missing page': site('/not/there'),
    'a page that has moved': site('/once/here'),
    'the list of root pages': site('/pages.html'),
    'a search of the site': site('/search.html?q=page'),
    'robots.txt': site('/robots.txt'),
    'all of the sitemap': site('/sitemap.xml'),
    'all for the feed': site('/feed.xml'),
    "the tree's roots": () => person.get('pages'),
    "a page's children": () => person.get(`pages?parent=${wide.id}`),
    "a page's last children": () => person.get(`pages?parent=${wide.id}&after=9000`),
    'a page': () => person.get(`pages/${deep.id}`),
    'its revisions': () => person.get(`pages/${deep.id}/revisions`),
    'the log': () => person.get('log'),
    "people's log": () => person.get('log?by=people'),
    'an older part of the log': () => person.get('log?before=3000'),
    'the settings': () => person.get('settings'),
    'the people': () => person.get('users'),
    'the images': () => person.get('media'),
    "an image's uses": () => person.get('media/7/uses'),
    'the customers': () => person.get('customers'),
    'the customers by name': () => person.get('customers?sort=name'),
    'the oldest customers': () => person.get('customers?sort=oldest'),
    'all customers as CSV': () => person.get('customers.csv'),
    'the customers of a plan': () => person.get('customers?plan=1'),
    'all customers, for those without mail': () => person.get('customers?mail=failed'),
    'all customers, for those of a plan that does not exist': () => person.get('customers?plan=99&sort=name'),
    'the customers of a day': () => person.get('customers?from=2020-01-01&to=2020-01-01'),
    'customers that are deleted': () => person.post('customers/changes', { changes: deletions }),
    'all customers that a search finds and a filter refuses': () => person.get('customers?q=account&state=suspended'),
    'customers that a search finds': () => person.get('customers?q=small'),
    'customers with a mail address': () => person.get('customers?q=carl@example.com'),
    'customers with a domain': () => person.get('customers?q=small.example'),
    'all customers, for what needs somebody': () => person.get('overview'),
    'one customer': () => person.get(`customers/${customer.id}`),
    'whether a subdomain is free': () => person.get('customers/subdomain?subdomain=new'),
    'a customer whose form is sent again': () =>
      person.post('customers', form).then(() => person.post('customers', form)),
    'the revenue of a year': () => person.get('revenue'),
    'all customers who came in each month': () => person.get('revenue/cohorts'),
    'customers behind a figure': () => person.get('revenue/customers?figure=free'),
    'movements behind a figure': () => person.get('revenue/customers?figure=new'),
    'movements of a plan': () => person.get('revenue/customers?figure=new&plan=1'),
    'all customers who came': () => person.get('revenue/customers?figure=came'),
    'the keys': () => person.get('keys'),
    'the redirects': () => service.get('/api/redirects.json', key),
    'a later part of the redirects': () =>
      service.get('/api/redirects.json', `${key}&after=${redirects.pageId}-${Number(redirects.last) - 500}`),
    'the redirects to a page': () => service.get('/api/redirects.json', `${key}&page_id=page_${redirects.pageId}`),
    'the keys of customers': () => service.get('/api/keys.json', key),
    'older keys of customers': () => service.get('/api/keys.json', `${key}&before=key_1000`),
    'the session': () => person.get('session'),
  })) {
    await observe(what, send);
  }
}

const SMALL_ACCOUNTS = 600;
const ROOTS = 5000;
const WIDE = 10_000;

/** Creates an account with 20,000 pages and much else, among 600 accounts of one page each, by SQL that generates the rows. */
async function fill(db: Trx, analyzed: 'never' | 'last' | 'before'): Promise<Large> {
  const { accountId, userId, key } = await makeAccount(db, 'large');
  const run = (text: string) => sql.raw(text).execute(db);
  const numbers = (count: number) =>
    dialectOf(db) === 'postgres'
      ? `generate_series(1::bigint, ${count}::bigint) as numbers (n)`
      : `(with recursive counter (n) as (select 1 union all select n + 1 from counter where n < ${count}) select n from counter) as numbers`;
  const account = (parent: string, plan: string, status = 'active') =>
    `insert into accounts (parent_id, plan_id, own_plan_name, own_plan_price_cents, name, subdomain, status, editor, created_at)
     select ${parent}, ${plan}, '', 0, 'Account ' || n, coalesce(${plan}, 0) || 'a-' || n, '${status}', 'wysiwyg_format', 0`;
  const page = (of: string, by: string, parent: string, name: string, position: string) =>
    `insert into pages (account_id, parent_id, name, urlname, position, is_hidden, body_format, custom_date, created_at,
       created_by, updated_at, updated_by, version, body)
     select ${of}, ${parent}, '${name} ' || ${position}, '${name.toLowerCase()}-' || ${position}, ${position}, 0, 'wysiwyg_format', 0, 0, ${by},
       0, ${by}, 1, '<p>Text</p>'`;
  const event = (of: string, by: string, program: string) =>
    `insert into audit_log (account_id, user_id, actor, action, subject, at, details, api_key_id)
     select ${of}, ${by}, 'Somebody', 'page.changed', 'page_' || n, 0, '{}', ${program}`;
  const user = (of: string, name: string) =>
    `insert into users (account_id, name, email, email_key, role, created_at)
     select ${of}, 'User', '${name}' || n || '@example.com', '${name}' || n || '@example.com', 'owner', 0`;
  const message = (of: string) =>
    `insert into outbox (account_id, message_id, from_name, to_name, to_email, subject, text, html, status, due_at, created_at, sent_at)
     select ${of}, 'm-' || id, '', '', 'a@example.com', '', '', '', 'sent', 0, 0, 0`;

  const small = `from users where account_id <> ${accountId}`;
  await run(`${account('null', 'null')} from ${numbers(SMALL_ACCOUNTS)}`);
  await run(`${user('id', 'small')} from (select id, id as n from accounts where id <> ${accountId}) as others`);
  await run(`${page('account_id', 'id', 'null', 'Only', '1')} ${small}`);
  await run(`${event('account_id', 'n', 'null')} from (select account_id, id as n ${small}) as theirs`);
  await run(`${message('account_id')} ${small}`);
  if (analyzed === 'before') await run('analyze');

  const { rows } = await sql<{ plan: number; key: number }>`
    select plans.id as plan, api_keys.id as key from plans join api_keys on api_keys.account_id = plans.account_id
    where plans.account_id = ${accountId}`.execute(db);
  const { plan, key: program } = rows[0]!;
  const of = (name: string) => `from pages where account_id = ${accountId} and name = '${name}'`;
  const [large, owner] = [String(accountId), String(userId)];
  await run(`${page(large, owner, 'null', 'Root', 'n')} from ${numbers(ROOTS)}`);
  await run(`${page(large, owner, `(select id ${of('Root 2')})`, 'Wide', 'n')} from ${numbers(WIDE)}`);
  const first = await sql<{
    id: number;
  }>`select id from pages where account_id = ${accountId} and name = 'Wide 1'`.execute(db);
  // Fifty pages below each of the first hundred.
  await run(
    `insert into pages (account_id, parent_id, name, urlname, position, is_hidden, body_format, custom_date, created_at,
       created_by, updated_at, updated_by, version, has_changed, body)
     select ${large}, ${first.rows[0]!.id} + (n - 1) / 50, 'Leaf ' || n, 'leaf-' || n, (n - 1) % 50 + 1, 0, 'wysiwyg_format', 0, 0, ${owner},
       0, ${owner}, 1, 1, '<p>Text</p>' from ${numbers(PAGES - ROOTS - WIDE)}`,
  );
  await run(`${event(large, owner, 'null')} from ${numbers(5000)}`);
  await run(`${event(large, owner, String(program))} from ${numbers(5000)}`);
  await run(`${user(large, 'large')} from ${numbers(20)}`);
  await run(`${account(large, String(plan))} from ${numbers(CUSTOMERS)}`);
  await run(`update plans set active_customers = ${CUSTOMERS} where id = ${plan}`);
  await run(`${message('id')} from accounts where parent_id = ${large}`);
  // Half of the changes are from long ago.
  await run(`insert into plan_changes (account_id, customer_id, kind, to_plan_id, to_plan_name, to_price_cents, to_interval, actor, created_at)
    select ${large}, id, 'created', ${plan}, 'Plan', 4900, 'month', 'operator', case when id % 2 = 0 then 0 else ${Date.now() - 1000} end as at
    from accounts where parent_id = ${large} order by at, id`);
  for (const lines of [fillFromLedger, fillFirstLines, fillPlanLines]) await run(lines);
  await run(`insert into redirects (account_id, path, page_id, version)
    select ${large}, case when n = 7 then '/once/here' else '/once/' || n end, ${first.rows[0]!.id}, n from ${numbers(3000)}`);
  await run(`insert into media (account_id, hash, kind, width, height, is_moving, bytes, name, folder, files, created_at, created_by)
    select ${large}, 'h' || n, 'jpeg', 1, 1, 0, 1, 'Image', 'f', '{}', 0, ${owner} from ${numbers(200)}`);
  await run(`insert into page_images (account_id, page_id, draft_by, hash)
    select account_id, id, 0, 'h7' from pages where account_id = ${large}`);
  await run(`insert into revisions (account_id, page_id, version, user_id, at, name, urlname, is_hidden, custom_date, body_format, body)
    select ${large}, ${first.rows[0]!.id}, n, ${owner}, 0, 'Wide 1', 'wide-1', 0, 0, 'wysiwyg_format', '' from ${numbers(3000)}`);
  await run(`insert into undos (account_id, user_id, kind, payload, created_at)
    select ${large}, ${owner}, 'delete', '{}', 0 from ${numbers(3000)}`);
  await run(`insert into api_keys (account_id, user_id, agency_id, agent_id, name, hash, last4, created_at)
    select account_id, users.id, ${large}, ${owner}, 'Shop', 'h' || users.id || '-' || n, '1234', 0
    from users cross join ${numbers(5)} where account_id <> ${large}`);
  if (analyzed === 'last') await run('analyze');

  // Flush the statistics of the rows read so far, so that they do not count in the test.
  if (dialectOf(db) === 'postgres') await run('select pg_stat_force_next_flush()');

  const wide = { id: await idOf(db, accountId, 'Root 2'), path: '/root-2' };
  const deep = { id: await idOf(db, accountId, 'Leaf 60'), path: '/root-2/wide-2/leaf-60' };
  return { accountId, userId, key, deep, wide };
}

async function idOf(db: Trx, accountId: number, name: string): Promise<number> {
  const { id } = await db
    .selectFrom('pages')
    .select('id')
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return id;
}

type Reads = ReadonlyMap<string, number>;

/** Returns how many rows of each table and index the connection of `own` has read so far. */
async function rowsRead(own: Db, db: Db): Promise<Reads> {
  await sql`select pg_stat_force_next_flush()`.execute(own);
  const { rows } = await sql<{ name: string; count: number }>`
    select relname as name, seq_tup_read as count from pg_stat_user_tables
    union all
    select indexrelname, idx_tup_read from pg_stat_user_indexes`.execute(db);
  return new Map(rows.map(({ name, count }) => [name, Number(count)]));
}

function difference(before: Reads, after: Reads): { all: number; tables: string } {
  const read = [...after].map(([name, count]) => [name, count - before.get(name)!] as const);
  const all = read.reduce((sum, [, count]) => sum + count, 0);
  const most = read.filter(([, count]) => count > 0).toSorted(([, a], [, b]) => b - a);
  return {
    all,
    tables: most
      .slice(0, 3)
      .map(([name, count]) => `${name} ${count}`)
      .join(', '),
  };
}
