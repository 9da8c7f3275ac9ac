import { type Kysely, sql } from 'kysely';

/** Adds whether visitors see a page. All existing pages are published. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const status = `status text not null default 'published' check (status in ('published', 'unpublished', 'default'))`;
  for (const statement of [
    `alter table pages add column ${status}`,
    `alter table removed_pages add column ${status}`,
    'drop index pages_visible',
    `create index pages_visible on pages (account_id, (coalesce(parent_id, 0)), position)
       where is_hidden = 0 and status = 'published'`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}
