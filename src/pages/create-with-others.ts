import { batchLoader } from '../db/batch-loader.ts';
import { currentTrace } from '../db/connection-turns.ts';
import { isUnavailable } from '../db/constraint.ts';
import { type Db, dialectOf } from '../db/database.ts';
import { recorded } from '../spans.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { insertPages } from './insert-pages.ts';
import type { PageToInsert } from './page-to-insert.ts';

/** Longer pages have a transaction each, so that short pages do not wait for many long ones. */
const MAX_GROUPED_CHARACTERS = 32_768;

/** Pages with more images have a transaction each, so that other pages do not wait for them. */
const MAX_GROUPED_IMAGES = 20;

/**
 * Creates a page in a transaction or statement that it shares with other creations of the same moment. Creates nothing and
 * returns undefined if the page breaks a rule or the batch fails.
 *
 * The overhead of a creation costs more than the creation: transactions, commits and, on PostgreSQL, round trips. Here
 * dozens of creations share it.
 */
export async function createWithOthers(db: Db, page: PageToInsert): Promise<number | undefined> {
  if (page.body.length + (page.description?.length ?? 0) > MAX_GROUPED_CHARACTERS) return undefined;
  if (page.images.length > MAX_GROUPED_IMAGES) return undefined;
  let create = creators.get(db);
  if (!create) {
    create = dialectOf(db) === 'postgres' ? inOneStatement(db) : inOneTransaction(db);
    creators.set(db, create);
  }
  try {
    // The statement serves several requests, so this request's trace only has the wait for it.
    return await recorded(
      currentTrace()?.child(),
      GROUP_SPAN,
      () => create!(page),
      (id) => ({ attributes: {}, hasFailed: id === undefined }),
    );
  } catch (error) {
    if (isUnavailable(error)) throw error;
    // One refused page makes the whole batch fail. Each page is then tried alone, and only the refused one gets the error.
    return undefined;
  }
}

const GROUP_SPAN = { name: 'database commit with others', kind: 'client' } as const;

type Create = (page: PageToInsert) => Promise<number | undefined>;

const creators = new WeakMap<Db, Create>();

function inOneTransaction(db: Db): Create {
  const insertAll = (pages: readonly PageToInsert[]) => db.transaction().execute((trx) => insertPages(trx, pages));
  // Batches run in parallel: a batch that waited for the previous commit would miss the next one.
  const create = batchLoader(insertAll, { mayOverlap: true });
  // Never null: on SQLite, the transaction itself is the lock.
  return async (page) => (await create(page)) ?? undefined;
}

/**
 * Returns a function that creates pages of all accounts in one statement. The statement skips accounts that another
 * transaction has locked or just changed: two processes that wait for each other's accounts in different orders would
 * deadlock. An account's skipped pages, and pages that arrive meanwhile, wait for its lock and share one transaction.
 */
function inOneStatement(db: Db): Create {
  const createUnlocked = batchLoader((pages: readonly PageToInsert[]) => insertPages(db, pages));
  const waiting = new Map<number, { create: ReturnType<typeof lockedBatchLoader>; callers: number }>();

  const createLocked = async (page: PageToInsert) => {
    const { accountId } = page;
    const own = waiting.get(accountId) ?? { create: lockedBatchLoader(db, accountId), callers: 0 };
    waiting.set(accountId, own);
    own.callers += 1;
    try {
      // Never null, since the transaction holds the account's lock.
      return (await own.create(page)) ?? undefined;
    } finally {
      own.callers -= 1;
      if (own.callers === 0) waiting.delete(accountId);
    }
  };
  return async (page) => {
    // `null`: the account was locked or just changed, so the page is created once the lock is free. `undefined`: the page
    // breaks a rule, so waiting for the lock would not help.
    const id = waiting.has(page.accountId) ? null : await createUnlocked(page);
    return id === null ? createLocked(page) : id;
  };
}

function lockedBatchLoader(db: Db, accountId: number) {
  return batchLoader((pages: readonly PageToInsert[]) =>
    db.transaction().execute(async (trx) => {
      await lockAccount(trx, accountId);
      return insertPages(trx, pages);
    }),
  );
}
