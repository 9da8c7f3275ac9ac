import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/** Adds the logos and icons of brands. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const int = dialect === 'sqlite' ? 'integer' : 'bigint';
  for (const column of ['logo', 'logo_dark', 'icon']) {
    await sql.raw(`alter table brands add column ${column} text`).execute(db);
  }
  await sql
    .raw(`
    create table brand_images (
      account_id ${int} not null references accounts (id),
      name text not null,
      created_at ${int} not null,
      png text not null,
      primary key (account_id, name)
    )`)
    .execute(db);
  await sql.raw('create index brand_images_name on brand_images (name)').execute(db);
}
