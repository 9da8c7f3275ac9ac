import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/** Adds the number of bytes that the texts of each account's pages, revisions, deleted pages and drafts take up. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const statement of [
    `alter table accounts add column page_bytes ${dialect === 'sqlite' ? 'integer' : 'bigint'} not null default 0`,
    `update accounts set page_bytes = sums.bytes
     from (
       select account_id, sum(bytes) as bytes
       from (
         select account_id, octet_length(body) + coalesce(octet_length(description), 0) as bytes from pages
         union all
         select account_id, octet_length(body) + coalesce(octet_length(description), 0) from removed_pages
         union all
         select account_id, octet_length(body) + coalesce(octet_length(description), 0) from revisions
         union all
         select account_id, octet_length(fields) from drafts
       ) as texts
       group by account_id
     ) as sums
     where accounts.id = sums.account_id`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}
