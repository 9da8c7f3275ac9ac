import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onEachDatabase } from '../../test/databases.ts';
import { countingDeletions } from '../../test/deletions.ts';
import { makeAccount } from '../../test/factories.ts';
import { type Db, dialectOf } from '../db/database.ts';
import { DELETE_BATCH_SIZE } from '../db/delete-in-batches.ts';
import type { Schema } from '../db/schema.ts';
import { runMaintenance } from './maintenance.ts';

/** More rows than one batch deletes. */
const MANY = DELETE_BATCH_SIZE * 2 + 1;

onEachDatabase('maintenance', (open) => {
  test('maintenance deletes any number of old rows, in batches', async (t) => {
    const { db } = await open(t);
    // Makes the account's own events as old as all others.
    t.mock.timers.enable({ apis: ['Date'], now: 1 });
    const { accountId, userId } = await makeAccount(db);
    t.mock.timers.reset();
    const { id: keyId } = await db.selectFrom('api_keys').select('id').executeTakeFirstOrThrow();
    const plan = await db.selectFrom('plans').select('id').where('account_id', '=', accountId).executeTakeFirst();
    const its = { account_id: accountId, user_id: userId };
    const page = { custom_date: 1, body_format: '', body: '', is_hidden: 0 };
    const file = { width: 1, height: 1, is_moving: 0, bytes: 1, folder: 'none', files: '{}' };
    const offered = {
      account_id: accountId,
      site_id: accountId,
      position: 1,
      created_at: 1,
      name: 'Own',
      description: '',
    };
    const template = await db
      .transaction()
      .execute((trx) => trx.insertInto('templates').values(offered).returning('id').executeTakeFirstOrThrow());
    const old = {
      idempotency: { account_id: accountId, api_key_id: keyId, key: n, fingerprint: '', status: 1, answer: '' },
      sessions: { ...its, token_hash: n, last_seen_at: 1, expires_at: 1, ip: '', network: '', user_agent: '' },
      one_time_links: { ...its, purpose: 'sign_in', token_hash: n, expires_at: 1 },
      passkey_challenges: { ...its, hash: n, expires_at: 1 },
      sign_in_attempts: { key: n, failures: 1, failed_at: 1, open_at: 0 },
      audit_log: { ...its, actor: '', action: '', subject: '', at: 1, details: '{}' },
      customer_notes: { ...its, customer_id: accountId, text: '', version: 1, deleted_at: 1 },
      scheduled_plan_changes: {
        account_id: accountId,
        customer_id: accountId,
        plan_id: plan!.id,
        day: '2026-01-01',
        allows_excess: 0,
        cancelled_at: 1,
      },
      template_pushes: { id: number, account_id: accountId, template_id: template.id, created_by: '', finished_at: 1 },
      template_push_sites: {
        account_id: accountId,
        push_id: number,
        state: 'done',
        changed_pages: 0,
        left_pages: 0,
        result: '',
      },
      removals: { ...its, kind: 'key', subject_id: number, payload: '{}' },
      released_subdomains: { account_id: accountId, subdomain: n, released_at: 1 },
      media: { account_id: accountId, hash: n, kind: 'png', ...file, name: '', created_by: userId, removed_at: 1 },
      undos: { id: number, ...its, kind: 'delete', payload: '{"pageId":1}' },
      outbox: { account_id: accountId, message_id: n, status: 'sent', due_at: 1, ...message },
      // One change that deleted many pages, and one page that was changed often.
      removed_pages: {
        undo_id: 1,
        id: number,
        account_id: accountId,
        name: n,
        urlname: n,
        position: number,
        ...page,
        created_by: userId,
        updated_at: 1,
        updated_by: userId,
        version: 1,
      },
      revisions: { ...its, page_id: 1, version: number, at: 1, name: '', urlname: '', ...page },
      drafts: { account_id: accountId, page_id: number, user_id: userId, based_on: 1, updated_at: 1, fields: '{}' },
      redirects: { account_id: accountId, path: n, page_id: number, version: 1 },
    } as const;
    for (const [table, row] of Object.entries(old)) await insertMany(db, table as keyof Schema, row);

    const { db: counting, deletions } = countingDeletions(db);
    const warnings: unknown[] = [];
    const store = { remove: async () => {} } as never;
    const log = { warn: (...words: unknown[]) => void warnings.push(words) };
    await runMaintenance({ db: counting, store, dataDir: '.', log });
    assert.deepEqual(warnings, []);
    assert.equal(Math.max(...deletions), DELETE_BATCH_SIZE, `deleted ${Math.max(...deletions)} rows at once`);
    for (const table of Object.keys(old)) {
      const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db);
      assert.deepEqual(rows, [], table);
    }
  });
});

const number = sql<number>`n`;
const n = sql<string>`cast(n as text)`;
const message = { from_name: '', to_name: '', to_email: '', subject: '', text: '', html: '' };

/** Inserts `MANY` rows that differ in the expressions with `n`, with the oldest possible times. */
async function insertMany(db: Db, table: keyof Schema, row: object): Promise<void> {
  const { rows: columns } = await (dialectOf(db) === 'sqlite'
    ? sql`select 1 from pragma_table_info(${table}) where name = 'created_at'`
    : sql`select 1 from information_schema.columns where table_name = ${table} and column_name = 'created_at'`
  ).execute(db);
  const values = Object.entries({ ...row, ...(columns.length > 0 && { created_at: 1 }) });
  const names = sql.join(values.map(([name]) => sql.ref(name)));
  const cells = sql.join(
    values.map(([, value]) => (typeof value === 'object' ? value : sql.lit(value as string | number))),
  );
  await db.transaction().execute((trx) =>
    sql`insert into ${sql.table(table)} (${names})
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(MANY)})
      select ${cells} from numbers`.execute(trx),
  );
}
