import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { addManyPages } from '../../bench/data.ts';
import { runCliJson } from '../../test/cli.ts';
import { onEachDatabase, openCopy, type TestDatabase } from '../../test/databases.ts';
import { actor, makeAccount, makeCustomer, makePage, quota } from '../../test/factories.ts';
import { noImages } from '../../test/images.ts';
import { changePlan, restoreCustomer, suspendCustomer } from '../accounts/change-customer.ts';
import { operator } from '../audit/record-audit-event.ts';
import { readConfig } from '../config.ts';
import { dialectOf } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';
import { snapshot } from '../db/snapshot.ts';
import { addMedia } from '../media/add-media.ts';
import { openMediaStore } from '../media/open-store.ts';
import { refreshSearch } from '../pages/search-index.ts';
import { searchPages } from '../pages/search-pages.ts';
import { updatePage } from '../pages/update-page.ts';
import { createPlan } from '../plans/plans.ts';
import { examine } from './doctor.ts';

const DAY = 24 * 60 * 60 * 1000;

type Statements = string | Record<'sqlite' | 'postgres', string>;
type Messages = string | string[] | Record<'sqlite' | 'postgres', string | string[]>;

/**
 * Damage to the data of `healthy`: accounts 1 (with customers 2 and 3) and 4; pages 1 > 2 > 3 and 4 of account 1, page 5 of
 * account 4.
 */
const damages: Array<{ name: string; plant: Statements; finds: Messages }> = [
  {
    name: 'a page whose parent is missing',
    plant: 'update pages set parent_id = 77 where id = 3',
    finds: 'trees: page_3 of account_1: its parent page_77 is not a page of the account.',
  },
  {
    name: 'a page whose parent is in another account',
    plant: 'update pages set parent_id = 5 where id = 3',
    finds: 'trees: page_3 of account_1: its parent page_5 is not a page of the account.',
  },
  {
    name: 'pages in a circle, and pages below it',
    plant:
      'update pages set parent_id = 3, position = 1 where id = 2; update pages set parent_id = 3, position = 2 where id = 4',
    finds: [3, 2, 4].map((id) => `trees: page_${id} of account_1: its parents form a cycle.`),
  },
  {
    name: 'pages nested too deeply',
    plant: `insert into pages (id, account_id, parent_id, name, urlname, position, is_hidden, body_format, custom_date,
        created_at, created_by, updated_at, updated_by, version, body)
      with recursive n (i) as (select 4 union all select i + 1 from n where i < 31)
      select 1000 + i, 1, case when i = 4 then 3 else 999 + i end, 'd' || i, 'd' || i, 1, 0, '', 1, 1, 1, 1, 1, 1, '' from n`,
    finds: 'trees: page_1031 of account_1: it is 31 levels deep, but at most 30 are allowed.',
  },
  {
    name: 'a gap in the positions',
    plant: 'update pages set position = 5 where id = 4',
    finds: 'positions: account_1: its pages at the root should have the positions 1 to 2, but have 1, 5.',
  },
  {
    name: 'positions that begin at zero',
    plant: 'update pages set position = 0 where id = 2',
    finds: 'positions: account_1: its pages under page_1 should have the positions 1 to 1, but have 0.',
  },
  {
    name: 'a urlname that fits no address',
    plant: "update pages set urlname = 'a b' where id = 3",
    finds: 'urlnames: page_3 of account_1: its urlname "a b" cannot be part of an address.',
  },
  {
    name: 'a urlname with hyphens where none belong',
    plant: "update pages set urlname = '-a--b' where id = 3",
    finds: 'urlnames: page_3 of account_1: its urlname "-a--b" cannot be part of an address.',
  },
  {
    name: 'accounts with a wrong byte count of their pages',
    plant: `update accounts set page_bytes = 12 where id = 1; update accounts set page_bytes = 7 where id = 2;
      update pages set body = 'für', description = '€' where id = 3;
      insert into drafts (account_id, page_id, user_id, based_on, updated_at, fields) values (1, 3, 1, 1, 1, '{}')`,
    finds: [
      'pages: account_1: 12 bytes of texts are recorded, but it has 9.',
      'pages: account_2: 7 bytes of texts are recorded, but it has 0.',
    ],
  },
  {
    name: 'a page without a name',
    plant: "update pages set name = ' ' where id = 3",
    finds: "names: page_3 of account_1: its name can't be blank.",
  },
  {
    name: 'rows of deleted accounts',
    plant: `update accounts set deleted_at = 1 where id in (3, 4);
      delete from one_time_links where account_id in (3, 4); delete from users where account_id = 3;
      insert into domains (account_id, host, token, created_at) values (4, 'a.example', 't', 1)`,
    finds: [
      'account_3: it was deleted, but has rows in outbox.',
      'account_4: it was deleted, but has rows in domains.',
      'account_3: it was deleted, but has rows in audit_log.',
      'account_4: it was deleted more than a day ago, but some of its data is left. Check that the service is running.',
    ].map((message) => `tenants: ${message}`),
  },
  {
    name: 'an account with a subdomain that fits no address, and one without a name',
    plant: "update accounts set subdomain = 'Bakery-' where id = 2; update accounts set name = '' where id = 3",
    finds: [
      'names: account_2: its subdomain "Bakery-" cannot be part of an address.',
      "names: account_3: its name can't be blank.",
    ],
  },
  {
    name: 'siblings with one urlname',
    plant: 'drop index pages_urlname; update pages set urlname = (select urlname from pages where id = 1) where id = 4',
    finds: 'urlnames: page_4 of account_1: its sibling page_1 also has the urlname "one".',
  },
  {
    name: 'a domain without an account',
    plant: "insert into domains (id, account_id, host, token, created_at) values (50, 99, 'a.example', 't', 1)",
    finds: 'tenants: domain_50: its account_id 99 has no row in accounts.',
  },
  {
    name: 'a host that is not in lower case',
    plant: "insert into domains (id, account_id, host, token, created_at) values (50, 1, 'A.example.', 't', 1)",
    finds: 'domains: domain_50: "A.example." is not a host name in lower case.',
  },
  {
    name: 'a host that is verified twice',
    plant: `drop index domains_verified_host;
      insert into domains (account_id, host, token, verified_at, created_at)
      values (1, 'a.example', 't', 1, 1), (4, 'a.example', 't', 1, 1)`,
    finds: 'domains: "a.example" is verified for 2 accounts.',
  },
  {
    name: 'a log entry by the key of another account',
    plant: `insert into audit_log (id, account_id, user_id, api_key_id, actor, action, subject, at, details)
      values (50, 4, null, 1, 'x', 'page.created', 'page_1', 1, '{}')`,
    finds: 'tenants: log_entry_50: its account_id 4, api_key_id 1 has no row in api_keys.',
  },
  {
    name: 'a user without an account',
    plant:
      "insert into users (id, account_id, name, email, email_key, role, created_at) values (50, 99, 'x', 'x', 'x', 'owner', 1)",
    finds: 'tenants: user_50: its account_id 99 has no row in accounts.',
  },
  {
    name: 'a key of a user in another account',
    plant: 'update api_keys set user_id = 4 where id = 1',
    finds: 'tenants: key_1: its account_id 1, user_id 4 has no row in users.',
  },
  {
    name: "a key of an agency's user who does not exist",
    plant: 'update api_keys set agency_id = 1, agent_id = 99 where id = 1',
    finds: 'tenants: key_1: its agency_id 1, agent_id 99 has no row in users.',
  },
  {
    name: 'a page by a user in another account',
    plant: 'update pages set updated_by = 4 where id = 3',
    finds: 'tenants: page_3: its account_id 1, updated_by 4 has no row in users.',
  },
  {
    name: 'a revision by a user in another account',
    plant: `insert into revisions (id, account_id, page_id, version, user_id, at, name, urlname, is_hidden, custom_date,
      body_format, body) values (50, 1, 3, 1, 4, 1, 'x', 'x', 0, 1, '', '')`,
    finds: 'tenants: revision_50: its account_id 1, user_id 4 has no row in users.',
  },
  {
    name: 'an old address without an account',
    plant: "insert into redirects (id, account_id, path, page_id, version) values (50, 99, '/x', 3, 1)",
    finds: 'tenants: redirect_50: its account_id 99 has no row in accounts.',
  },
  {
    name: 'a deleted page without its undo',
    plant: `insert into removed_pages (undo_id, id, account_id, name, urlname, position, is_hidden, body_format,
        custom_date, created_at, created_by, updated_at, updated_by, version, body)
      values (50, 60, 1, 'x', 'x', 1, 0, '', 1, 1, 1, 1, 1, 1, '')`,
    finds: 'tenants: removed_page_60: its account_id 1, undo_id 50 has no row in undos.',
  },
  {
    name: 'a plan without an account',
    plant:
      "insert into plans (id, account_id, name, price_cents, interval, is_default, created_at) values (50, 99, 'x', 1, 'month', 1, 1)",
    finds: 'tenants: plan_50: its account_id 99 has no row in accounts.',
  },
  {
    name: 'a message without an account',
    plant: 'update outbox set account_id = 99 where id = 2',
    finds: [
      'tenants: message_2: its account_id 99 has no row in accounts.',
      'outbox: account_3: it is a new customer, but no message was sent to it.',
    ],
  },
  {
    name: 'accounts that are customers of each other',
    plant: `update accounts set parent_id = 4, plan_id = 4 where id = 1; update accounts set parent_id = 1, plan_id = 1 where id = 4;
      update accounts set created_at = 1 where id in (1, 4);
      insert into plan_changes (account_id, customer_id, kind, to_plan_id, to_plan_name, to_price_cents, to_interval, actor, created_at)
      values (4, 1, 'created', 4, 'Free', 0, 'month', 'operator', 1), (1, 4, 'created', 1, 'Free', 0, 'month', 'operator', 1);
      update plans set active_customers = active_customers + 1 where id in (1, 4)`,
    finds: [
      ...[1, 2, 3, 4].map((id) => `tenants: account_${id}: its parent accounts form a cycle.`),
      ...[6, 7].map((id) => `revenue: line ${id} of the ledger has no revenue line.`),
    ],
  },
  {
    name: 'a wrong number of customers',
    plant: 'update plans set active_customers = 9 where id = 1',
    finds: 'plans: plan_1 of account_1: 9 active customers are recorded, but it has 1.',
  },
  {
    name: 'an account without a default plan',
    plant: 'update plans set is_default = 0 where account_id = 4',
    finds: 'plans: account_4: no plan is the default for new customers.',
  },
  {
    name: 'a customer whose plan differs from the ledger',
    plant:
      'update accounts set plan_id = 1 where id = 2; update plans set active_customers = 2 where id = 1; update plans set active_customers = 0 where id = 5',
    finds: 'ledger: account_2: it is on plan_1, but the ledger says plan_5.',
  },
  {
    name: 'a customer whose suspension is not in the ledger',
    plant: "update accounts set status = 'suspended' where id = 3; update plans set active_customers = 0 where id = 1",
    finds: 'ledger: account_3: it is suspended, but the ledger says active.',
  },
  {
    name: 'ledger lines that do not continue each other',
    plant:
      "insert into plan_changes (account_id, customer_id, kind, to_plan_id, to_plan_name, to_price_cents, to_interval, actor, created_at) select 1, 3, 'restored', 1, 'Free', 0, 'month', 'operator', created_at from accounts where id = 3",
    finds: 'ledger: account_3: line 6 of the ledger (restored) does not follow the previous line.',
  },
  ...(['from_plan_name', 'from_price_cents', 'from_interval'] as const).map((column, index) => ({
    name: `a line of the ledger with another ${column}`,
    plant: changeLedger(`${column} = ${["'Gift'", '1', "'year'"][index]} where kind = 'moved'`),
    finds:
      'ledger: account_2: line 4 of the ledger (moved) begins with another plan name, price or interval than the previous line ends with.',
  })),
  {
    name: 'a price that was changed between two lines',
    plant: changeLedger("to_price_cents = 499 where kind = 'moved'"),
    finds:
      'ledger: account_2: line 5 of the ledger (restored) begins with another plan name, price or interval than the previous line ends with.',
  },
  {
    name: 'a price in the last line that the plan does not have',
    plant: changeLedger("to_price_cents = 100 where kind = 'created' and customer_id = 3"),
    finds: 'ledger: account_3: the ledger gives plan_1 another name, price or interval than it has.',
  },
  {
    name: 'a ledger that goes back in time',
    plant: changeLedger("created_at = created_at - 100000 where kind = 'moved'"),
    finds: 'ledger: account_2: line 4 of the ledger (moved) has an earlier time than the previous line.',
  },
  {
    name: 'a creation at another time than the account',
    plant: changeLedger("created_at = created_at - 100000 where kind = 'created' and customer_id = 3"),
    finds: 'ledger: account_3: line 2 of the ledger (created) has another time than the account.',
  },
  {
    name: 'revenue whose totals disagree with the ledger',
    plant: 'update revenue_lines set free_count = 7 where line_id = 5',
    finds: 'revenue: line 5 of the ledger: its free count is 7, but should be 1.',
  },
  {
    name: "a customer's revenue that disagrees with the ledger",
    plant: 'update revenue_lines set annual_cents = 400 where line_id = 5',
    finds: [
      'revenue: line 5 of the ledger: its annual cents is 400, but should be 500.',
      'revenue: line 5 of the ledger, for plan_5: its annual cents is 500, but should be 400.',
    ],
  },
  {
    name: 'a line of the ledger without revenue',
    plant: 'delete from revenue_lines where line_id = 2; delete from plan_revenue_lines where line_id = 2',
    finds: [
      'revenue: line 2 of the ledger has no revenue line.',
      'revenue: line 3 of the ledger: its free count is 1, but should be 0.',
      'revenue: line 3 of the ledger, for plan_1: its free count is 1, but should be 0.',
    ],
  },
  {
    name: 'a revenue line with a wrong next line',
    plant: 'update revenue_lines set next_line_id = 4 where line_id = 1',
    finds: "revenue: line 1 of the ledger: its customer's next line is recorded as line 4, but is line 3.",
  },
  {
    name: "a plan's revenue without a ledger line",
    plant: `insert into plan_revenue_lines select 6, plan_id, account_id, customer_id, next_line_id, at, state, annual_cents,
      movement, change_cents, paying_count, free_count, new_cents, new_count, expansion_cents, expansion_count,
      contraction_cents, contraction_count, churn_cents, churn_count, reactivation_cents, reactivation_count
      from plan_revenue_lines where line_id = 5`,
    finds: 'revenue: revenue line 6 of plan_5 has no line in the ledger.',
  },
  {
    name: 'a ledger and logs that can be changed',
    plant: {
      sqlite: `drop trigger plan_changes_no_delete; drop trigger plan_changes_no_replace; drop trigger audit_log_no_update`,
      postgres: `drop trigger plan_changes_no_truncate on plan_changes;
        alter table plan_changes disable trigger plan_changes_append_only;
        alter table audit_log disable trigger audit_log_append_only`,
    },
    finds: {
      sqlite: ['ledger: plan_changes_no_delete', 'ledger: plan_changes_no_replace', 'log: audit_log_no_update'].map(
        toOpenLines,
      ),
      postgres: [
        'ledger: plan_changes_append_only',
        'ledger: plan_changes_no_truncate',
        'log: audit_log_append_only',
      ].map(toOpenLines),
    },
  },
  {
    name: 'a customer whose creation is not recorded',
    plant: `insert into accounts (id, parent_id, plan_id, own_plan_name, own_plan_price_cents, name, subdomain, status, editor, created_at)
        values (9, 1, 1, '', 0, 'x', 'x', 'active', 'markdown_format', 1);
      insert into plans (account_id, name, price_cents, interval, is_default, created_at) values (9, 'Free', 0, 'month', 1, 1);
      insert into users (account_id, name, email, email_key, role, created_at) values (9, 'x', 'x', 'x', 'owner', 1);
      update plans set active_customers = 2 where id = 1`,
    finds: 'ledger: account_9: the ledger has no entry for its creation.',
  },
  {
    name: 'an account without an owner',
    plant: "update users set role = 'admin' where id = 2",
    finds: 'people: account_2 has no owner.',
  },
  {
    name: 'a removed user who is still signed in',
    plant: `insert into users (id, account_id, name, email, email_key, role, created_at, removed_at)
        values (9, 1, 'x', 'x', 'removed 9', 'editor', 1, 1);
      insert into sessions (account_id, user_id, token_hash, created_at, last_seen_at, expires_at, ip, network, user_agent)
        values (1, 9, 'x', 1, 1, 2, '', '', '')`,
    finds: 'people: user_9 was removed, but can still sign in or is signed in.',
  },
  {
    name: 'a passkey of a removed user',
    plant: `insert into users (id, account_id, name, email, email_key, role, created_at, removed_at)
        values (9, 1, 'x', 'x', 'removed 9', 'editor', 1, 1);
      insert into passkeys (account_id, user_id, name, credential_id, public_key, counter, transports, may_be_backed_up,
        is_backed_up, created_at) values (1, 9, 'x', 'x', 'x', 0, '', 0, 0, 1)`,
    finds: 'people: user_9 was removed, but can still sign in or is signed in.',
  },
  {
    name: 'a sent message without its time',
    plant: "update outbox set status = 'sent' where id = 1",
    finds: 'outbox: message_1: it was sent, but has no time of sending.',
  },
  {
    name: 'messages that were claimed or due long ago',
    plant: `update outbox set due_at = ${Date.now() - 2 * DAY};  update outbox set claimed_by = 'gone' where id = 1`,
    finds: [
      'outbox: message_1: the process that claimed it has been gone for more than a day.',
      'outbox: message_2: it has been due for more than a day. Check that the service is running.',
    ],
  },
  {
    name: 'a failed message without a reason',
    plant: "update outbox set status = 'failed' where id = 1",
    finds: 'outbox: message_1: it failed, but has no error.',
  },
  {
    name: 'a sent message that is still claimed',
    plant: "update outbox set status = 'sent', sent_at = 1, claimed_by = 'someone' where id = 1",
    finds: 'outbox: message_1: it is sent, but is still claimed for sending.',
  },
  {
    name: 'messages that are due or claimed far in the future',
    plant: "update outbox set due_at = 9999999999999; update outbox set claimed_by = 'someone' where id = 2",
    finds: [
      'outbox: message_1: it is due only in more than a day.',
      'outbox: message_2: the process that claimed it has reserved it for more than another hour.',
    ],
  },
  {
    name: 'two messages with one Message-ID',
    plant: 'update outbox set message_id = (select message_id from outbox where id = 1) where id = 2',
    finds: 'outbox: message_1: 2 messages have its Message-ID.',
  },
  {
    name: 'a new customer without login instructions',
    plant: 'delete from outbox where account_id = 3',
    finds: 'outbox: account_3: it is a new customer, but no message was sent to it.',
  },
];

/** Returns the message for a missing trigger. */
function toOpenLines(checkAndTrigger: string): string {
  const [check, trigger] = checkAndTrigger.split(': ');
  return `${check}: its lines can be changed: the trigger ${trigger} is missing or disabled.`;
}

/** Returns statements that change the ledger. SQLite needs its trigger dropped first; on PostgreSQL, `damage` skips triggers. */
function changeLedger(change: string): Statements {
  const trigger = 'plan_changes_no_update';
  const create = `create trigger ${trigger} before update on plan_changes begin select raise(abort, 'no'); end`;
  const update = `update plan_changes set ${change}`;
  return { sqlite: `drop trigger ${trigger}; ${update}; ${create}`, postgres: update };
}

onEachDatabase('doctor', (open, kind) => {
  test('doctor reports nothing for healthy data', async (t) => {
    const database = await open(t);
    assert.deepEqual(await examine(database.db, noImages), { problems: [], notes: [] });
    await healthy(database);
    assert.deepEqual(await examine(database.db, noImages), { problems: [], notes: [] });
  });

  test('doctor finds each kind of damage', async (t) => {
    const { db, config } = await open(t);
    await healthy({ db, config });
    await db.destroy();
    for (const { name, plant, finds } of damages) {
      await t.test(`doctor finds ${name}`, async (t) => {
        const database = await openCopy(t, config);
        await damage(database, typeof plant === 'string' ? plant : plant[kind]);
        const { problems } = await examine(database.db, noImages);
        const found = problems
          .filter(({ check }) => check !== 'foreign keys')
          .map(({ check, message }) => `${check}: ${message}`);
        assert.deepEqual(found, [typeof finds === 'object' && !Array.isArray(finds) ? finds[kind] : finds].flat());
      });
    }
  });

  test('doctor checks a tree of more pages than one batch', async (t) => {
    const database = await open(t);
    const { accountId: id, userId, key } = await makeAccount(database.db);
    await addManyPages(database.db, { id, userId, key }, 2345);
    const ofTrees = async () => {
      const { problems } = await examine(database.db, noImages);
      return problems.filter(({ check }) => check === 'trees' || check === 'positions').map(({ message }) => message);
    };
    assert.deepEqual(await ofTrees(), []);
    await damage(
      database,
      'update pages set position = 9 where id = 2345; update pages set parent_id = 7777 where id = 2000',
    );
    assert.deepEqual(await ofTrees(), [
      `page_2000 of account_${id}: its parent page_7777 is not a page of the account.`,
      `account_${id}: its pages under page_346 should have the positions 1 to 2, but have 1, 9.`,
    ]);
  });

  for (const [shape, parentOf] of [
    ['in a long chain of customers', (seller: number) => `case n when 1 then ${seller} else 99 + n end`],
    ['that are customers of one account', (seller: number) => `${seller}`],
  ] as const) {
    test(`doctor reads each account only a few times if there are many ${shape}`, async (t) => {
      if (kind === 'sqlite') return;
      const database = await open(t);
      const { accountId } = await makeAccount(database.db);
      await damage(
        database,
        `insert into accounts (id, parent_id, plan_id, own_plan_name, own_plan_price_cents, name, subdomain, status, editor, created_at)
         select 100 + n, ${parentOf(accountId)}, 1, '', 0, 'x', 'x' || n, 'active', 'markdown_format', 1
         from generate_series(1, 2000) as n`,
      );
      await damage(database, 'analyze accounts');
      // The connection reports its statistics to the server when it closes.
      const own = await openDatabase({ ...database.config, databasePool: 1 });
      await examine(own, noImages);
      await own.destroy();
      const { rows } = await sql<{ read: number }>`
        select seq_tup_read + idx_tup_fetch as read from pg_stat_user_tables where relname = 'accounts'`.execute(
        database.db,
      );
      assert.ok(rows[0]!.read < 100 * 2000, `${rows[0]!.read} rows`);
    });
  }

  test('a check that finds more problems than it reports says how many more', async (t) => {
    const database = await open(t);
    await healthy(database);
    await damage(
      database,
      `insert into users (account_id, name, email, email_key, role, created_at)
       with recursive n (i) as (select 1 union all select i + 1 from n where i < 130)
       select 99, 'x', 'x', 'x' || i, 'owner', 1 from n`,
    );
    const tenants = (await examine(database.db, noImages)).problems.filter(({ check }) => check === 'tenants');
    assert.equal(tenants.length, 101);
    assert.equal(tenants.at(-1)?.message, 'and 30 more');
  });

  test('doctor reports failed mail as a note, not a problem', async (t) => {
    const database = await open(t);
    await healthy(database);
    await damage(database, "update outbox set status = 'failed', last_error = '550 no' where id = 1");
    assert.deepEqual(await examine(database.db, noImages), {
      problems: [],
      notes: [{ check: 'outbox', message: '1 message could not be sent: see mail list --status failed.' }],
    });
  });

  test('doctor reports domains without proof as a note, not a problem', async (t) => {
    const database = await open(t);
    await healthy(database);
    await damage(
      database,
      `insert into domains (account_id, host, token, verified_at, last_error, created_at)
       values (1, 'a.example', 't', 1, 'x', 1), (1, 'b.example', 't', null, 'x', 1), (1, 'c.example', 't', 1, null, 1)`,
    );
    assert.deepEqual(await examine(database.db, noImages), {
      problems: [],
      notes: [
        { check: 'domains', message: '1 verified domain was set up wrongly at the last check: see domain list.' },
      ],
    });
  });

  test('doctor finds missing and damaged image files, and notes unused files and images', async (t) => {
    const database = await open(t);
    const { db, config } = database;
    const { accountId, userId } = await makeAccount(db);
    const store = openMediaStore(readConfig({ DATA_DIR: config.dataDir }));
    const hashes = ['a', 'b', 'c'].map((letter) => letter.repeat(32));
    for (const hash of hashes) {
      const image = { hash, kind: 'png', width: 2, height: 1, isMoving: false, name: 'a.png' } as const;
      const files = { folder: `${accountId}/${hash}-1`, files: { [`${hash}-2x1.webp`]: 1 } };
      await db
        .transaction()
        .execute((trx) => addMedia(trx, accountId, { ...image, ...files, quota: 10 }, actor(userId)));
      await store.put(`${files.folder}/${hash}-2x1.webp`, Buffer.from('x'));
    }
    const [a, b, c] = hashes.map((hash) => `${accountId}/${hash}-1/${hash}-2x1.webp`);
    const show = (names: string[]) => names.map((hash) => `<img src="/media/${hash}-2x1.webp">`).join('');
    await makePage(db, accountId, { userId, body: show(hashes) });
    assert.deepEqual(await examine(db, store), { problems: [], notes: [] });

    await store.remove([a!]);
    await store.put(b!, Buffer.from('longer'));
    await store.put(`${accountId}/d-1/d.webp`, Buffer.from('x'));
    await damage(
      database,
      `update media set width = 3 where hash = '${hashes[2]}'; update pages set body = ''; update accounts set page_bytes = 0;
      update page_images set draft_by = ${userId} where hash = '${hashes[0]}'`,
    );
    assert.deepEqual(await examine(db, store), {
      problems: [
        `media_3 of account_${accountId}: the names of its files do not match its address.`,
        `page_1 of account_${accountId}: the recorded images differ from the images in its text.`,
        `page_1 of account_${accountId}, the draft of user_${userId}: the recorded images differ from the images in its text.`,
        `media_1 of account_${accountId}: its file ${a} is missing.`,
        `media_2 of account_${accountId}: its file ${b} has 6 bytes instead of 1.`,
      ].map((message) => ({ check: 'images', message })),
      notes: [
        { check: 'images', message: '3 images are not used on any page; together 3 bytes.' },
        { check: 'images', message: `2 files belong to no image, such as ${c}.` },
      ],
    });
  });

  test("doctor compares any number of files with all accounts' images, and keeps few in memory", async (t) => {
    const { db } = await open(t);
    const accounts: Array<{ accountId: number; userId: number }> = [];
    while (accounts.length < 11) accounts.push(await makeAccount(db));
    const [one, two, eleven] = [accounts[0]!, accounts[1]!, accounts[10]!];
    const hashes = Array.from({ length: 1200 }, (_, index) => String(index).padStart(32, '0'));
    for (const { accountId, userId } of [eleven, two, one]) {
      const rows = hashes.map((hash) => ({
        account_id: accountId,
        hash,
        kind: 'png',
        width: 2,
        height: 1,
        is_moving: 0,
        bytes: 2,
        name: 'a',
        folder: `${accountId}/${hash}-1`,
        created_at: 1,
        created_by: userId,
        files: JSON.stringify({ [`${hash}-2x1.webp`]: 1, [`${hash}-2x1.avif`]: 1 }),
      }));
      for (let from = 0; from < rows.length; from += 400) {
        const part = rows.slice(from, from + 400) as never[];
        await db.transaction().execute((trx) => trx.insertInto('media').values(part).execute());
      }
    }
    let [held, mostHeld] = [0, 0];
    const counting = db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        held += result.rows.filter((row) => 'files' in row).length;
        return result;
      },
    });
    const store = {
      ...noImages,
      async *list() {
        held = 0;
        // In the order of S3's listing: account 11 comes before account 2.
        for (const { accountId } of [one, eleven, two]) {
          for (const hash of hashes) {
            for (const type of ['avif', 'webp']) {
              mostHeld = Math.max(mostHeld, held);
              const isMissing = accountId === eleven.accountId && hash === hashes[700] && type === 'webp';
              if (!isMissing) yield { key: `${accountId}/${hash}-1/${hash}-2x1.${type}`, bytes: 1 };
            }
            held -= 1;
          }
          yield { key: `${accountId}/surplus-1/x.webp`, bytes: 1 };
        }
      },
    };
    const { problems, notes } = await examine(counting, store);
    const missing = `${eleven.accountId}/${hashes[700]}-1/${hashes[700]}-2x1.webp`;
    assert.deepEqual(
      problems.map(({ message }) => message),
      [`media_701 of account_${eleven.accountId}: its file ${missing} is missing.`],
    );
    assert.equal(notes.at(-1)!.message, `3 files belong to no image, such as ${one.accountId}/surplus-1/x.webp.`);
    assert.ok(mostHeld <= 1000, `held ${mostHeld} images at once`);
  });

  test('files that the store lists out of order are not compared', async (t) => {
    const { db } = await open(t);
    const store = {
      ...noImages,
      async *list() {
        for (const key of ['2/a-1/a.webp', '1/a-1/a.webp']) yield { key, bytes: 1 };
      },
    };
    assert.deepEqual(await examine(db, store), {
      problems: [
        {
          check: 'images',
          message: 'The store does not list files in the order of their keys, so they were not compared.',
        },
      ],
      notes: [],
    });
  });

  test('doctor finds search indexes that disagree with the pages, and account reindex repairs them', async (t) => {
    const database = await open(t);
    const { db, config } = database;
    const { accountId, userId } = await makeAccount(db, 'acme');
    const ids: number[] = [];
    for (const name of ['Bread', 'Rolls', 'Cakes', 'Buns']) ids.push(await makePage(db, accountId, { userId, name }));
    await refreshSearch(db, accountId, 1000);
    const problems = async () => (await examine(db, noImages)).problems;
    assert.deepEqual(await problems(), []);
    // Pages that wait to be indexed are no problem.
    const change = { id: ids[0]!, basedOn: undefined, fields: { name: 'Rye bread' }, quota };
    await db.transaction().execute((trx) => updatePage(trx, accountId, change, actor(userId)));
    await makePage(db, accountId, { userId, name: 'Pies' });
    assert.deepEqual(await problems(), []);

    const of = (index: number) => `account_id = ${accountId} and page_id = ${ids[index]}`;
    await damage(
      database,
      `update pages set name = 'Baguettes', version = version + 1 where id = ${ids[1]};
       delete from search_pages where ${of(2)};
       update search_pages set page_id = 99 where ${of(3)}`,
    );
    const message = (pages: string) =>
      `account_${accountId}: its search index differs from ${pages}: run account reindex account_${accountId}.`;
    assert.deepEqual(await problems(), [{ check: 'search', message: message(`4 pages, such as page_${ids[1]}`) }]);
    const { pages } = await runCliJson(config, 'account', 'reindex', 'acme');
    assert.equal(pages, 5);
    assert.deepEqual(await problems(), []);
    const { pages: found } = await snapshot(db, (trx) => searchPages(trx, accountId, 'baguettes'));
    assert.deepEqual(
      found.map(({ id }) => id),
      [ids[1]],
    );
    if (dialectOf(db) === 'sqlite') {
      await damage(database, `delete from search_words where rowid = ${ids[1]}`);
      assert.deepEqual(await problems(), [{ check: 'search', message: message(`page_${ids[1]}`) }]);
    }
  });

  test('doctor finds missing and unknown migrations', async (t) => {
    const database = await open(t);
    await damage(database, "update migrations set name = '999-later' where name = '001-initial'");
    assert.deepEqual((await examine(database.db, noImages)).problems, [
      { check: 'migrations', message: '001-initial has not been applied.' },
      { check: 'migrations', message: '999-later is unknown: the database was made by a newer version.' },
    ]);
  });

  test('doctor reports what SQLite finds in its own file', async (t) => {
    if (kind !== 'sqlite') return;
    const database = await open(t);
    await healthy(database);
    await damage(
      database,
      "pragma writable_schema = on; delete from sqlite_master where name = 'users_email'; update users set account_id = 99 where id = 3",
    );
    const checks = new Set((await examine(database.db, noImages)).problems.map(({ check }) => check));
    assert.ok(checks.has('integrity'), 'the unused page of the file was not reported');
    assert.ok(checks.has('foreign keys'));
  });
});

async function healthy({ db }: TestDatabase): Promise<void> {
  const { accountId, userId } = await makeAccount(db, 'acme');
  const customerId = await makeCustomer(db, accountId, 'bakery');
  await makeCustomer(db, accountId, 'florist');
  const other = await makeAccount(db, 'other');
  const one = await makePage(db, accountId, { userId, name: 'One' });
  const two = await makePage(db, accountId, { userId, name: 'Two', parentId: String(one) });
  await makePage(db, accountId, { userId, name: 'Three', parentId: String(two) });
  await makePage(db, accountId, { userId, name: 'Four' });
  await makePage(db, other.accountId, { userId: other.userId, name: 'One' });
  await db.transaction().execute(async (trx) => {
    const planId = await createPlan(
      trx,
      accountId,
      { name: 'Big', price: '5', interval: 'year', isDefault: false },
      operator,
    );
    await suspendCustomer(trx, accountId, customerId, operator);
    await changePlan(trx, accountId, { customerId, planId }, operator);
    await restoreCustomer(trx, accountId, customerId, operator);
  });
}

/** Changes the database without foreign keys and triggers, which Freehold itself never does. */
async function damage({ config }: TestDatabase, statements: string): Promise<void> {
  if (config.databaseUrl === '') {
    const file = new DatabaseSync(join(config.dataDir, 'freehold.db'), { defensive: false });
    file.exec('pragma foreign_keys = off');
    file.exec(statements);
    file.close();
    return;
  }
  const client = new pg.Client({ connectionString: config.databaseUrl });
  await client.connect();
  try {
    await client.query('set session_replication_role = replica');
    await client.query(statements);
  } finally {
    await client.end();
  }
}
