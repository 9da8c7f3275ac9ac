import { type Kysely, sql } from 'kysely';

/** Adds an index of the few domains that are not verified, or no longer lead visitors here. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw('create index domains_failing on domains (id, account_id) where (verified_at is null or leads_here = 0)')
    .execute(db);
}
