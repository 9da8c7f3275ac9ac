import { type Kysely, sql } from 'kysely';

/**
 * What visitors are shown of a tree: the pages that are not hidden, in order. Menus read the first few of them, and
 * must not have to step over thousands of hidden ones to find them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index pages_visible on pages (account_id, (coalesce(parent_id, 0)), position) where is_hidden = 0`.execute(
    db,
  );
}
