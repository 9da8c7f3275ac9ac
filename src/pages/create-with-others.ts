import { batchLoader } from '../db/batch-loader.ts';
import { currentTrace } from '../db/connection-turns.ts';
import { isUnavailable } from '../db/constraint.ts';
import { type Db, dialectOf } from '../db/database.ts';
import { recorded } from '../spans.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { insertPages } from './insert-pages.ts';
import type { PageToInsert } from './page-to-insert.ts';

/** Longer pages have a transaction each, so that short ones do not wait for many long ones. */
const MAX_GROUPED_CHARACTERS = 32_768;

/** Pages with more images have a transaction each, for the same reason. */
const MAX_GROUPED_IMAGES = 20;

/**
 * Creates a page in one transaction or statement with other creations of the same moment. Creates nothing and returns
 * undefined if anything stands in the way.
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
    // It is part of several requests, so that only the wait for it is in the trace of this one.
    return await recorded(
      currentTrace()?.child(),
      GROUP_SPAN,
      () => create!(page),
      (id) => ({ attributes: {}, hasFailed: id === undefined }),
    );
  } catch (error) {
    if (isUnavailable(error)) throw error;
    // One refused page makes all of them fail. Tried one by one, only that one gets the error.
    return undefined;
  }
}

const GROUP_SPAN = { name: 'database commit with others', kind: 'client' } as const;

type Create = (page: PageToInsert) => Promise<number | undefined>;

const creators = new WeakMap<Db, Create>();

function inOneTransaction(db: Db): Create {
  const insertAll = (pages: readonly PageToInsert[]) => db.transaction().execute((trx) => insertPages(trx, pages));
  // Batches run side by side: one that waited for the previous commit would miss the next one.
  const create = batchLoader(insertAll, { sideBySide: true });
  return async (page) => (await create(page)) ?? undefined;
}

/**
 * Creates pages of all accounts in one statement. It skips accounts whose tree another transaction holds or has just changed:
 * two processes that wait for each other's accounts in different orders would deadlock. The skipped pages of an account, and
 * those that arrive meanwhile, wait for it in one transaction, so that a busy account still gets many pages a transaction.
 */
function inOneStatement(db: Db): Create {
  const createUnheld = batchLoader((pages: readonly PageToInsert[]) => insertPages(db, pages));
  const waiting = new Map<number, { create: ReturnType<typeof inTurn>; callers: number }>();

  const createInTurn = async (page: PageToInsert) => {
    const { accountId } = page;
    const own = waiting.get(accountId) ?? { create: inTurn(db, accountId), callers: 0 };
    waiting.set(accountId, own);
    own.callers += 1;
    try {
      return (await own.create(page)) ?? undefined;
    } finally {
      own.callers -= 1;
      if (own.callers === 0) waiting.delete(accountId);
    }
  };
  return async (page) => {
    const id = waiting.has(page.accountId) ? null : await createUnheld(page);
    return id === null ? createInTurn(page) : id;
  };
}

function inTurn(db: Db, accountId: number) {
  return batchLoader((pages: readonly PageToInsert[]) =>
    db.transaction().execute(async (trx) => {
      await lockAccount(trx, accountId);
      return insertPages(trx, pages);
    }),
  );
}
