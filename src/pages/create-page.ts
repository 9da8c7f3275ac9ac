import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { lookupJoin } from '../db/lookup-join.ts';
import { prepared } from '../db/prepared.ts';
import { ValidationError } from '../errors.ts';
import type { FieldError } from '../field-error.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { insertPage } from './insert-page.ts';
import { MAX_DEPTH } from './page.ts';
import { bytesOf, checkQuota } from './page-bytes.ts';
import { type CreatePageInput, checkPageValues, type PageValues } from './page-values.ts';
import { freeUrlname } from './positions.ts';
import { toUrlname } from './urlname.ts';

/**
 * Creates a page, last among its siblings, and returns its id. Pages of API clients get an audit event.
 * @throws ValidationError with every field that breaks a rule; nothing is changed then.
 */
export async function createPage(trx: Trx, accountId: number, input: CreatePageInput): Promise<number> {
  const failures: FieldError[] = [];
  const values = checkPageValues(input, failures);
  const { quota } = input;
  if (failures.length > 0) {
    await checkRoomLeft(trx, accountId, { values, quota }, failures);
    await checkParent(trx, accountId, values.parentId, failures);
    await reportIfTaken(trx, accountId, values.name, failures);
    throw new ValidationError(failures);
  }

  const now = Date.now();
  const bytes = bytesOf(values);
  const account = await raiseContentVersion(trx, accountId, now, bytes);
  checkQuota(failures, { bytes, pageBytes: account.pageBytes, quota });
  await checkParent(trx, accountId, values.parentId, failures);
  if (failures.length > 0) {
    await reportIfTaken(trx, accountId, values.name, failures);
    throw new ValidationError(failures);
  }
  const page = {
    ...values,
    parentId: values.parentId ?? null,
    parent: values.parentId ?? 0,
    bodyFormat: values.bodyFormat ?? account.editor,
    accountId,
    urlname: toUrlname(values.name),
    now,
    userId: input.userId,
    apiClient: input.apiClient,
    version: account.version,
  };
  const id = await insertPage(trx, page);
  if (id !== undefined) return id;
  if (await isTaken(trx, accountId, values.name)) throw new ValidationError([nameTaken]);
  const urlname = await freeUrlname(trx, accountId, page.parent, page.urlname);
  return (await insertPage(trx, { ...page, urlname }))!;
}

export const nameTaken: FieldError = { field: 'name', code: 'taken' };

/**
 * A request that fails anyway is told of everything at once, so it is worth a look at what only the database knows.
 * A creation that can succeed never asks this first: there the unique indexes are the judges.
 */
async function reportIfTaken(trx: Trx, accountId: number, name: string, failures: FieldError[]): Promise<void> {
  if (failures.some(({ field }) => field === 'name')) return;
  if (await isTaken(trx, accountId, name)) failures.unshift(nameTaken);
}

async function checkRoomLeft(
  trx: Trx,
  accountId: number,
  { values, quota }: { values: PageValues; quota: number },
  failures: FieldError[],
): Promise<void> {
  const bytes = bytesOf(values);
  const account = await trx
    .selectFrom('accounts')
    .select('page_bytes')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  checkQuota(failures, { bytes, pageBytes: account.page_bytes + bytes, quota });
}

async function isTaken(trx: Trx, accountId: number, name: string): Promise<boolean> {
  const page = await trx
    .selectFrom('pages')
    .select('id')
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .executeTakeFirst();
  return page !== undefined;
}

async function checkParent(
  trx: Trx,
  accountId: number,
  parentId: number | null | undefined,
  failures: FieldError[],
): Promise<void> {
  if (parentId === null) return;
  const depth = parentId === undefined ? 0 : await depthOf(trx, accountId, parentId);
  if (depth === 0) failures.push({ field: 'parent_id', code: 'missing' });
  else if (depth >= MAX_DEPTH) failures.push({ field: 'parent_id', code: 'too_deep' });
}

/** 1 for a root page, 2 for its children, …; 0 when the account has no such page. */
export async function depthOf(trx: Trx, accountId: number, id: number): Promise<number> {
  const [row] = await selectDepth(trx, { accountId, id });
  return row?.depth ?? 0;
}

const selectDepth = prepared<{ accountId: number; id: number }, { depth: number | null }>((db, parameter) => {
  const account = parameter('accountId');
  // The depth is bounded, so that even a cycle, which must not exist, cannot hang the service.
  const compiled = sql<{ depth: number | null }>`
    with recursive ancestors (parent_id, depth) as (
      select parent_id, 1 from pages where account_id = ${account} and id = ${parameter('id')}
      union all
      select pages.parent_id, ancestors.depth + 1
      from ancestors ${lookupJoin(db, 'pages', sql`pages.account_id = ${account} and pages.id = ancestors.parent_id`)}
      where ancestors.depth <= ${sql.lit(MAX_DEPTH)}
    )
    select max(depth) as depth from ancestors`;
  return { compile: () => compiled.compile(db) };
});
