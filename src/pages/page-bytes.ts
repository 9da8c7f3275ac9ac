import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { keysToDelete } from '../db/keys-to-delete.ts';
import { maxRows } from '../db/long-changes.ts';
import { LimitReached } from '../errors.ts';
import type { FieldError } from '../field-error.ts';

/*
 * Counts the storage that an account's pages take up: the UTF-8 bytes of the bodies and descriptions of its pages, deleted
 * pages and revisions, and of its drafts. `accounts.page_bytes` has the sum, which every transaction that changes one of them
 * updates. Deleting and restoring pages does not change the sum. The lock of the account's row puts the updates in order.
 */

const ofTexts = sql<number>`octet_length(body) + coalesce(octet_length(description), 0)`;

/** SQL for the bytes that a row of each table counts for. */
export const bytesIn = {
  pages: ofTexts,
  removed_pages: ofTexts,
  revisions: ofTexts,
  drafts: sql<number>`octet_length(fields)`,
} as const;

/** Returns the bytes of a page's texts and of the user's draft of the page; 0 if there is no such page. */
export async function countPageBytes(
  db: Db,
  accountId: number,
  { id, userId }: { id: number; userId: number },
): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select ${bytesIn.pages} as bytes from pages where account_id = ${accountId} and id = ${id}
    union all
    select ${bytesIn.drafts} from drafts where account_id = ${accountId} and page_id = ${id} and user_id = ${userId}`.execute(
    db,
  );
  return rows.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Returns the bytes of the texts of a revision; 0 if there is none with this id. */
export async function countRevisionBytes(db: Db, accountId: number, { id }: { id: number }): Promise<number> {
  const revision = await db
    .selectFrom('revisions')
    .select(bytesIn.revisions.as('bytes'))
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return revision?.bytes ?? 0;
}

/** Returns the bytes of the texts that an undo works with: the page, the user's draft of it, and the restored texts. */
export async function countUndoBytes(
  db: Db,
  accountId: number,
  { id, userId }: { id: number; userId: number },
): Promise<number> {
  const undo = await db
    .selectFrom('undos')
    .select('payload')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!undo) return 0;
  const { pageId, revisionId = 0 }: { pageId: number; revisionId?: number } = JSON.parse(undo.payload);
  const present = await countPageBytes(db, accountId, { id: pageId, userId });
  const deleted = await countBytesOfDeletion(db, accountId, id);
  return present + deleted + (await countRevisionBytes(db, accountId, { id: revisionId }));
}

/** Returns the bytes of the texts that were deleted together with a page, counting no more pages than a change may write. */
export async function countTrashBytes(db: Db, accountId: number, { id }: { id: number }): Promise<number> {
  const page = await db
    .selectFrom('removed_pages')
    .select('undo_id as undo')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return page ? countBytesOfDeletion(db, accountId, page.undo) : 0;
}

async function countBytesOfDeletion(db: Db, accountId: number, undo: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(size), 0) as bytes from (
      select ${bytesIn.removed_pages} as size from removed_pages
      where account_id = ${accountId} and undo_id = ${undo} limit ${maxRows(db)}
    ) as deleted`.execute(db);
  return rows[0]!.bytes;
}

/** The bytes that a search counts for each page besides its text, and the most pages that are counted. */
const BYTES_PER_SEARCHED_PAGE = 1000;
const MAX_COUNTED_PAGES = 500;

/** Counts the bytes that a search may have to index and read. */
export async function countSearchedBytes(db: Db, accountId: number): Promise<number> {
  const pages = db
    .selectFrom('pages')
    .select('id')
    .where('account_id', '=', accountId)
    .limit(MAX_COUNTED_PAGES)
    .as('few');
  const { bytes, count } = await db
    .selectFrom('accounts')
    .select('page_bytes as bytes')
    .select((e) => e.selectFrom(pages).select(e.fn.countAll<number>().as('count')).as('count'))
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return bytes + BYTES_PER_SEARCHED_PAGE * (count ?? 0);
}

/** Returns the bytes that a page with these texts counts for. */
export function bytesOf({ body, description }: { body: string; description: string | null }): number {
  return Buffer.byteLength(body) + Buffer.byteLength(description ?? '');
}

/** Returns a failure if adding `bytes`, which makes the account's total `pageBytes`, exceeds `quota`. */
export function validateQuota(room: { bytes: number; pageBytes: number; quota: number }): FieldError[] {
  const { bytes, pageBytes, quota } = room;
  return bytes <= 0 || pageBytes <= quota ? [] : [{ field: 'body', code: 'no_room', params: { bytes: quota } }];
}

/**
 * Adds bytes that the transaction writes to the account's total. A negative number gives storage back.
 * @throws LimitReached if the pages would take up more than `quota`; the transaction must then be rolled back
 */
export async function reserveBytes(
  trx: Trx,
  accountId: number,
  { bytes, quota }: { bytes: number; quota: number },
): Promise<void> {
  if (bytes === 0) return;
  const { pageBytes } = await trx
    .updateTable('accounts')
    .set((e) => ({ page_bytes: e('page_bytes', '+', bytes) }))
    .where('id', '=', accountId)
    .returning('page_bytes as pageBytes')
    .executeTakeFirstOrThrow();
  const failures = validateQuota({ bytes, pageBytes, quota });
  if (failures.length > 0) throw new LimitReached(failures);
}

/** Deletes rows of the account, which the caller has locked, and gives their storage back. Returns the number of rows. */
export async function deleteTexts(
  trx: Trx,
  accountId: number,
  { table, where }: { table: keyof typeof bytesIn; where: RawBuilder<unknown> },
): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    delete from ${sql.table(table)} where account_id = ${accountId} and ${where}
    returning ${bytesIn[table]} as bytes`.execute(trx);
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  await reserveBytes(trx, accountId, { bytes: -bytes, quota: 0 });
  return rows.length;
}

/**
 * Deletes the account's first rows that meet the condition: at most `most`, and fewer if their texts are long, but at least
 * one. Returns the number of rows; 0 if none is left.
 */
export function deleteFewTexts(
  trx: Trx,
  accountId: number,
  {
    table,
    key,
    where,
    most,
  }: { table: keyof typeof bytesIn; key: readonly string[]; where: RawBuilder<unknown>; most: number },
): Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const rows = sql`select ${columns}, ${bytesIn[table]} as bytes from ${sql.table(table)} where ${where} limit ${most}`;
  return deleteTexts(trx, accountId, { table, where: sql`(${columns}) in (${keysToDelete({ key, rows })})` });
}
