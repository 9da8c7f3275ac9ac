import { type ApiClient, recordApiAuditEvents } from '../audit/record-api-audit-events.ts';
import { batchLoader } from '../db/batch-loader.ts';
import { isUnavailable } from '../db/constraint.ts';
import { type Db, dialectOf, type Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { BodyFormat } from '../db/schema.ts';
import type { FieldError } from '../field-error.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { depthOf } from './create-page.ts';
import { CREATED, insertPage } from './insert-page.ts';
import { insertPages } from './insert-pages.ts';
import { MAX_DEPTH, pageId } from './page.ts';
import { bytesOf } from './page-bytes.ts';
import { type CreatePageInput, checkPageValues } from './page-values.ts';
import { toUrlname } from './urlname.ts';

/** Longer pages have a transaction each, so that short ones do not wait for many long ones. */
const MAX_GROUPED_CHARACTERS = 32_768;

/**
 * Creates an API client's page with its audit event, in one transaction with other creations of the same moment. If
 * anything stands in the way it creates nothing and returns undefined; `createPage` then waits its turn, or reports the
 * reason.
 *
 * The overhead of a creation costs more than the creation: transactions, commits and, on PostgreSQL, round trips. Here
 * dozens of creations share it.
 */
export async function createPageAtOnce(
  db: Db,
  accountId: number,
  input: CreatePageInput & { apiClient: ApiClient },
): Promise<number | undefined> {
  const failures: FieldError[] = [];
  const { parentId, bodyFormat = null, ...values } = checkPageValues(input, failures);
  if (parentId === undefined || failures.length > 0) return undefined;
  const urlname = toUrlname(values.name);
  const { userId, apiClient, quota } = input;
  try {
    return await togetherOn(db)({ ...values, parentId, bodyFormat, accountId, urlname, userId, apiClient, quota });
  } catch (error) {
    if (isUnavailable(error)) throw error;
    // One refused page makes all of them fail. Tried one by one, only that one gets the error.
    return undefined;
  }
}

interface NewPage {
  accountId: number;
  /** null for the root. */
  parentId: number | null;
  name: string;
  urlname: string;
  isHidden: 0 | 1;
  body: string;
  description: string | null;
  /** null for the one the account has chosen. */
  bodyFormat: BodyFormat | null;
  userId: number;
  apiClient: ApiClient;
  /** Bytes that all pages of an account may take up; the same for all pages. */
  quota: number;
}

type Create = (page: NewPage) => Promise<number | undefined>;

const creators = new WeakMap<Db, Create>();

function togetherOn(db: Db): Create {
  let create = creators.get(db);
  if (!create) {
    create = dialectOf(db) === 'postgres' ? inOneStatement(db) : inOneTransaction(db);
    creators.set(db, create);
  }
  return create;
}

const isShort = ({ body, description }: NewPage) => body.length + (description?.length ?? 0) <= MAX_GROUPED_CHARACTERS;

function inOneTransaction(db: Db): Create {
  const createAll = (pages: readonly NewPage[]) =>
    db.transaction().execute(async (trx) => {
      // Not before: another process may have had the database until now, and changed the same account.
      const now = Date.now();
      const accounts = new Map<number, Account>();
      const ids = new Map<NewPage, number>();
      /** The bytes of new pages, by account. */
      const added = new Map<number, number>();
      for (const page of pages) {
        const { accountId, parentId, quota } = page;
        const account = accounts.get(accountId) ?? (await selectAccount(trx, { accountId }))[0]!;
        accounts.set(accountId, account);
        const bytes = bytesOf(page);
        if (account.pageBytes + bytes > quota) continue;
        if (parentId !== null) {
          const depth = await depthOf(trx, accountId, parentId);
          if (depth === 0 || depth >= MAX_DEPTH) continue;
        }
        const id = await insertPage(trx, {
          ...page,
          // Noted below, with the others.
          apiClient: null,
          parent: parentId ?? 0,
          bodyFormat: page.bodyFormat ?? account.editor,
          now,
          version: account.nextVersion,
        });
        if (id === undefined) continue;
        ids.set(page, id);
        account.pageBytes += bytes;
        added.set(accountId, (added.get(accountId) ?? 0) + bytes);
      }
      await recordCreations(trx, ids, now);
      // The transaction is the lock here, so this can come last, and is left out where nothing was created: what is kept
      // of the account stays right.
      for (const [accountId, bytes] of added) await raiseContentVersion(trx, accountId, now, bytes);
      return ids;
    });
  // Transactions share their commit: one that waited for the last one's would miss the next one's.
  return batchLoader(createAll, isShort, { sideBySide: true });
}

/** Nearly always all are one program's: then they are one statement, which takes half the time of one for each. */
async function recordCreations(trx: Trx, ids: ReadonlyMap<NewPage, number>, at: number): Promise<void> {
  const byProgram = Map.groupBy(ids, ([{ apiClient }]) => `${apiClient.keyId} ${apiClient.ip}`);
  for (const created of byProgram.values()) {
    const [{ accountId, userId, apiClient }] = created[0]!;
    const things = created.map(([{ name }, id]) => [pageId(id), name] as const);
    await recordApiAuditEvents(trx, accountId, { ...apiClient, userId, action: CREATED, subjects: things, at });
  }
}

interface Account {
  nextVersion: number;
  editor: BodyFormat;
  pageBytes: number;
}

const selectAccount = prepared<{ accountId: number }, Account>((db, parameter) =>
  db
    .selectFrom('accounts')
    .select((e) => [e('content_version', '+', 1).as('nextVersion'), 'editor', 'page_bytes as pageBytes'])
    .where('id', '=', parameter('accountId')),
);

/**
 * Creates pages of all accounts in one statement. It skips accounts whose tree another transaction holds or has just changed:
 * two processes that wait for each other's accounts in different orders would deadlock. The skipped pages of an account, and
 * those that arrive meanwhile, wait for it in one transaction, so that a busy account still gets many pages a transaction.
 */
function inOneStatement(db: Db): Create {
  const createUnheld = batchLoader((pages: readonly NewPage[]) => insertAll(db, pages), isShort);
  const waiting = new Map<number, { create: ReturnType<typeof inTurn>; callers: number }>();

  const createInTurn = async (page: NewPage) => {
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
    if (!isShort(page)) return undefined;
    const id = waiting.has(page.accountId) ? null : await createUnheld(page);
    return id === null ? createInTurn(page) : id;
  };
}

function inTurn(db: Db, accountId: number) {
  const createAll = (pages: readonly NewPage[]) =>
    db.transaction().execute(async (trx) => {
      // Waits for the account's tree. The statement sees it as it is from then on.
      await raiseContentVersion(trx, accountId, Date.now());
      return insertAll(trx, pages);
    });
  return batchLoader(createAll, isShort);
}

/** Inserts pages and returns their ids, null where the account was locked. Pages that break a rule are left out. */
async function insertAll(db: Db | Trx, all: readonly NewPage[]): Promise<Map<NewPage, number | null>> {
  const pages = withoutClashes(all);
  const column = <K extends keyof NewPage>(name: K) => pages.map((page) => page[name]);
  const rows = await insertPages(db, {
    accountIds: column('accountId'),
    parentIds: column('parentId'),
    names: column('name'),
    urlnames: column('urlname'),
    hidden: column('isHidden'),
    bodies: column('body'),
    descriptions: column('description'),
    bodyFormats: column('bodyFormat'),
    userIds: column('userId'),
    keyIds: pages.map(({ apiClient }) => apiClient.keyId),
    ips: pages.map(({ apiClient }) => apiClient.ip),
    now: Date.now(),
    quota: pages[0]!.quota,
  });
  return new Map(rows.map(({ place, id }) => [pages[place - 1]!, id]));
}

/** Leaves out pages whose name or address another page before them takes. */
function withoutClashes(pages: readonly NewPage[]): NewPage[] {
  const taken = new Set<string>();
  return pages.filter(({ accountId, parentId, name, urlname }) => {
    const own = [`${accountId} name ${name}`, `${accountId} urlname ${parentId} ${urlname}`];
    if (own.some((text) => taken.has(text))) return false;
    for (const text of own) taken.add(text);
    return true;
  });
}
