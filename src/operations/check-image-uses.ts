import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { imagesIn } from '../pages/page-images.ts';
import { beingPurged } from './check-deleted.ts';
import type { Findings, Problem } from './findings.ts';

/**
 * Checks that `page_images` lists the images that the texts of pages and drafts show. Returns a note with the number of
 * images that no page, draft or revision shows: their owners may have forgotten them.
 */
export async function checkImageUses(trx: Trx, findings: Findings): Promise<Problem[]> {
  const { rows: accounts } = await sql<{ id: number }>`
    select distinct account_id as id from media where removed_at is null and account_id not in (${beingPurged})
    order by 1`.execute(trx);
  let [count, bytes] = [0, 0];
  for (const { id } of accounts) {
    const used = await usedHashes(trx, id, findings);
    const images = await trx
      .selectFrom('media')
      .select(['hash', 'bytes'])
      .where('account_id', '=', id)
      .where('removed_at', 'is', null)
      .execute();
    for (const image of images.filter(({ hash }) => !used.has(hash))) {
      count += 1;
      bytes += image.bytes;
    }
  }
  if (count === 0) return [];
  const what = count === 1 ? '1 image is' : `${count} images are`;
  return [{ check: 'images', message: `${what} not used on any page; together ${bytes} bytes.` }];
}

/** The columns that contain texts. `page_images` does not list the images of revisions. */
const texts = [
  { table: 'pages', id: 'id', draftBy: '0', column: 'body', isNoted: true },
  { table: 'removed_pages', id: 'id', draftBy: '0', column: 'body', isNoted: true },
  { table: 'drafts', id: 'page_id', draftBy: 'user_id', column: 'fields', isNoted: true },
  { table: 'revisions', id: 'id', draftBy: '0', column: 'body', isNoted: false },
] as const;

async function usedHashes(trx: Trx, accountId: number, findings: Findings): Promise<Set<string>> {
  const used = new Set<string>();
  const noted = await notedImages(trx, accountId);
  const report = (key: string) => {
    const [pageId, draftBy] = key.split(' ');
    const what = `page_${pageId} of account_${accountId}${draftBy === '0' ? '' : `, the draft of user_${draftBy}`}`;
    findings.add('images', `${what}: the recorded images differ from the images in its text.`);
  };
  for (const { table, id, draftBy, column, isNoted } of texts) {
    const ids = await sql<{ id: number }>`select distinct ${sql.ref(id)} as id from ${sql.table(table)}
      where account_id = ${accountId} and ${sql.ref(column)} like '%/media/%'`.execute(trx);
    for (const { id: one } of ids.rows) {
      // Reads one page's texts at a time, since each may have megabytes.
      const { rows } = await sql<{ user: number; text: string }>`
        select ${sql.raw(draftBy)} as "user", ${sql.ref(column)} as text from ${sql.table(table)}
        where account_id = ${accountId} and ${sql.ref(id)} = ${one}`.execute(trx);
      for (const { user, text } of rows) {
        for (const [, hash] of text.matchAll(/\/media\/([0-9a-f]{32})-/g)) used.add(hash!);
        if (!isNoted) continue;
        const key = `${one} ${user}`;
        if (imagesIn(text).sort().join() !== (noted.get(key)?.sort().join() ?? '')) report(key);
        noted.delete(key);
      }
    }
  }
  for (const key of noted.keys()) report(key);
  return used;
}

/**
 * Returns the hashes that `page_images` lists for each text. The key is the id of the page and of the user whose draft the
 * text is.
 */
async function notedImages(trx: Trx, accountId: number): Promise<Map<string, string[]>> {
  const rows = await trx
    .selectFrom('page_images')
    .select(['page_id', 'draft_by', 'hash'])
    .where('account_id', '=', accountId)
    .orderBy('page_id')
    .orderBy('draft_by')
    .execute();
  const byText = Map.groupBy(rows, ({ page_id, draft_by }) => `${page_id} ${draft_by}`);
  return new Map([...byText].map(([key, images]) => [key, images.map(({ hash }) => hash)]));
}
