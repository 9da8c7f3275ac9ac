import { type Kysely, sql } from 'kysely';
import { normalForm } from '../../normal-form.ts';
import type { Dialect } from '../database.ts';

/**
 * Adds the names of accounts in the form in which customers are searched for. Adds indexes for the list of an account's
 * customers and for each way to filter it. Deleted accounts are in none of them.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const text = dialect === 'sqlite' ? 'text' : 'text collate "C"';
  const subdomain = dialect === 'sqlite' ? 'subdomain' : 'subdomain collate "C"';
  await sql.raw(`alter table accounts add column name_key ${text} not null default ''`).execute(db);
  await fillNameKeys(db);
  for (const statement of [
    // An expression, so that PostgreSQL does not use another index for the list and sort the rows that it finds there.
    'create index accounts_customers on accounts (coalesce(parent_id, 0), id) where coalesce(deleted_at, 0) = 0',
    'create index accounts_customers_name on accounts (parent_id, name_key) where coalesce(deleted_at, 0) = 0',
    `create index accounts_customers_subdomain on accounts (parent_id, ${subdomain}) where coalesce(deleted_at, 0) = 0`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}

const BATCH_SIZE = 1000;

async function fillNameKeys(db: Kysely<unknown>): Promise<void> {
  for (let last = 0; ; ) {
    const { rows } = await sql<{ id: number; name: string }>`
      select id, name from accounts where id > ${last} order by id limit ${sql.lit(BATCH_SIZE)}`.execute(db);
    for (const { id, name } of rows) {
      await sql`update accounts set name_key = ${nameKey(name)} where id = ${id}`.execute(db);
    }
    if (rows.length < BATCH_SIZE) return;
    last = rows.at(-1)!.id;
  }
}

/** Makes the key as `name-key.ts` did at the time of this migration. It must not change with that file. */
function nameKey(name: string): string {
  return normalForm(name.trim(), 'NFKD').replace(/\p{M}/gu, '').toLowerCase().slice(0, 100);
}
