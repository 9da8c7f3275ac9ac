import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { inJsonList } from '../db/json-list.ts';
import { fold } from '../fold.ts';
import { describeDeletions, type ListedDeletion } from './list-deletions.ts';
import { BATCH_SIZE, bestOf, rankIn } from './scan-names.ts';
import { UNDO_RETENTION_MS } from './undos.ts';

/** A deletion that a search found, by the name of the deleted page or of a page below it. */
interface FoundDeletion extends ListedDeletion {
  /** The matching pages below the deleted one, the best match first. */
  found: { id: number; name: string }[];
}

/** How many best matches are examined, how many deletions are returned, and how many matching pages below each. */
const MAX_MATCHES = 500;
const MAX_DELETIONS = 50;
const MAX_FOUND_BELOW = 5;

/** The length to which a search text is cut: longer than any name. */
const MAX_CHARACTERS = 255;

/**
 * Finds the deletions with the text in the name of one of their pages, the latest first. Case and accents do not matter.
 * Reads the names of all pages in the trash, since these have no index of words.
 */
export async function searchTrash(
  trx: Trx,
  accountId: number,
  text: string,
): Promise<{ deletions: FoundDeletion[]; hasMore: boolean }> {
  const wanted = fold(text.trim().slice(0, MAX_CHARACTERS));
  if (wanted === '') return { deletions: [], hasMore: false };
  const matches = await bestOf(deletedNames(trx, accountId), (name) => rankIn(fold(name), wanted), MAX_MATCHES);
  const ranks = new Map(matches.map(({ id }, index) => [id, index]));
  const pages = await readPages(trx, accountId, [...ranks.keys()]);
  const byUndo = Map.groupBy(
    pages.sort((one, other) => ranks.get(one.id)! - ranks.get(other.id)!),
    ({ undo }) => undo,
  );
  const undos = [...byUndo.values()].map(([first]) => first!).sort((one, other) => other.undo - one.undo);
  const deletions = await describeDeletions(trx, accountId, undos.slice(0, MAX_DELETIONS).map(undoOf));
  return {
    deletions: deletions.map((deletion) => {
      const below = byUndo.get(deletion.undo)!.filter(({ id }) => id !== deletion.pageId);
      return { ...deletion, found: below.slice(0, MAX_FOUND_BELOW).map(({ id, name }) => ({ id, name })) };
    }),
    hasMore: matches.length === MAX_MATCHES || undos.length > MAX_DELETIONS,
  };
}

type FoundPage = Awaited<ReturnType<typeof readPages>>[number];

function undoOf({ undo, payload, deletedAt, deletedBy }: FoundPage) {
  return { undo, payload, deletedAt, deletedBy };
}

function readPages(trx: Trx, accountId: number, ids: readonly number[]) {
  return trx
    .selectFrom('removed_pages')
    .innerJoin('undos', (join) =>
      join.onRef('undos.account_id', '=', 'removed_pages.account_id').onRef('undos.id', '=', 'removed_pages.undo_id'),
    )
    .innerJoin('users', (join) =>
      join.onRef('users.account_id', '=', 'undos.account_id').onRef('users.id', '=', 'undos.user_id'),
    )
    .select(['removed_pages.id', 'removed_pages.name', 'undo_id as undo', 'payload', 'users.name as deletedBy'])
    .select('undos.created_at as deletedAt')
    .where('removed_pages.account_id', '=', accountId)
    .where(inJsonList(trx, 'removed_pages.id', sql.val(JSON.stringify(ids)), 'bigint'))
    .where('undos.created_at', '>', Date.now() - UNDO_RETENTION_MS)
    .execute();
}

/** Reads the names in the order of the index. Pages in the trash may have equal names, so the id breaks ties. */
async function* deletedNames(trx: Trx, accountId: number): AsyncGenerator<{ id: number; text: string }> {
  for (let [name, after] = ['', 0]; ; ) {
    const part = await trx
      .selectFrom('removed_pages')
      .select(['id', 'name as text'])
      .where('account_id', '=', accountId)
      .where('name', '>=', name)
      .where(sql<boolean>`(name > ${name} or id > ${after})`)
      .orderBy('name')
      .orderBy('id')
      .limit(BATCH_SIZE)
      .execute();
    yield* part;
    if (part.length < BATCH_SIZE) return;
    ({ text: name, id: after } = part.at(-1)!);
    await setImmediate();
  }
}

/** The bytes that each page counts for, and the most pages that are counted. A large trash is searched in a thread. */
const BYTES_PER_PAGE = 1000;
const MAX_COUNTED_PAGES = 500;

/** Estimates how many bytes a search of the trash has to read. */
export async function countTrashSearchBytes(db: Db, accountId: number): Promise<number> {
  const { rows } = await sql<{ pages: number }>`
    select count(*) as pages from (
      select 1 from removed_pages where account_id = ${accountId} limit ${MAX_COUNTED_PAGES}
    ) as counted`.execute(db);
  return rows[0]!.pages * BYTES_PER_PAGE;
}
