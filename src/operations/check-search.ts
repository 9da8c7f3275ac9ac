import { sql } from 'kysely';
import { dialectOf, type Trx } from '../db/database.ts';
import type { Findings } from './findings.ts';

/**
 * Checks that each account's search index agrees with the account's pages. Skips pages that wait to be indexed: new ones
 * have ids above the last indexed id, and changed ones are queued.
 */
export async function checkSearch(trx: Trx, findings: Findings): Promise<void> {
  const unlessQueued = (id: string) => sql`not exists (
    select 1 from search_queue where search_queue.account_id = search_accounts.account_id
      and search_queue.page_id = ${sql.ref(id)})`;
  // Pages that are missing from the index, or indexed in an older version.
  const wrong = sql`
    select pages.account_id, pages.id
    from search_accounts
    join accounts on accounts.id = search_accounts.account_id and accounts.deleted_at is null
    join pages on pages.account_id = search_accounts.account_id and pages.id <= search_accounts.last_id
    left join search_pages on search_pages.account_id = pages.account_id and search_pages.page_id = pages.id
    where (search_pages.version is null or search_pages.version <> pages.version) and ${unlessQueued('pages.id')}`;
  const surplus = sql`
    select search_pages.account_id, search_pages.page_id as id
    from search_accounts
    join search_pages on search_pages.account_id = search_accounts.account_id
    where not exists (
      select 1 from pages where pages.account_id = search_pages.account_id and pages.id = search_pages.page_id
    ) and ${unlessQueued('search_pages.page_id')}`;
  // SQLite keeps the words in a separate table.
  const wordless = sql`
    select account_id, page_id as id from search_pages
    where not exists (select 1 from search_words_docsize where search_words_docsize.id = search_pages.page_id)`;
  const all = [wrong, surplus, ...(dialectOf(trx) === 'sqlite' ? [wordless] : [])];
  const { rows } = await sql<{ account_id: number; count: number; first: number }>`
    select account_id, count(*) as count, min(id) as first from (${sql.join(all, sql` union `)}) as differences
    group by account_id order by account_id limit 1000`.execute(trx);
  for (const { account_id, count, first } of rows) {
    const pages = count === 1 ? `page_${first}` : `${count} pages, such as page_${first}`;
    findings.add(
      'search',
      `account_${account_id}: its search index differs from ${pages}: run account reindex account_${account_id}.`,
    );
  }
}
