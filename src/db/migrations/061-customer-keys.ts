import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/** Lets an agency have keys for its customers' accounts. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const int = dialect === 'sqlite' ? 'integer' : 'bigint';
  for (const statement of [
    `alter table api_keys add column agency_id ${int} references accounts (id)`,
    `alter table api_keys add column agent_id ${int}`,
    'create index api_keys_agency on api_keys (agency_id, id) where agency_id is not null',
  ]) {
    await sql.raw(statement).execute(db);
  }
}
