import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/** Adds the brands of accounts with customers: what customers see instead of the product's name. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const int = dialect === 'sqlite' ? 'integer' : 'bigint';
  await sql
    .raw(`
    create table brands (
      account_id ${int} primary key references accounts (id),
      name text not null,
      accent text not null,
      support_email text,
      support_url text,
      legal_notice_url text,
      privacy_url text,
      terms_url text,
      sender_name text,
      reply_to text,
      version ${int} not null,
      changed_at ${int} not null
    )`)
    .execute(db);
}
