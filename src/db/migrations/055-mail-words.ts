import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/** Adds the texts that agencies choose for messages to their customers, and the kind of each message. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const int = dialect === 'sqlite' ? 'integer' : 'bigint';
  await sql.raw('alter table outbox add column kind text').execute(db);
  await sql
    .raw(`
    create table mail_words (
      account_id ${int} not null references accounts (id),
      kind text not null,
      version ${int} not null,
      changed_at ${int} not null,
      subject text not null,
      text text not null,
      primary key (account_id, kind)
    )`)
    .execute(db);
}
