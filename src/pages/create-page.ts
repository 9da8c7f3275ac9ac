import { assertKeyActive } from '../api-keys/assert-key-active.ts';
import { recordAuditEvent, type UserActor } from '../audit/record-audit-event.ts';
import { currentTraceparent } from '../db/connection-turns.ts';
import { type Db, inTransaction, type Trx } from '../db/database.ts';
import { notFound, ValidationError } from '../errors.ts';
import type { FieldError } from '../field-error.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { findPlanLimitFailure } from '../tenancy/plan-limits.ts';
import { type CreatePageInput, type PageValues, parseCreatePageInput } from './create-page-input.ts';
import { createWithOthers } from './create-with-others.ts';
import { depthOf } from './depth.ts';
import { insertPages } from './insert-pages.ts';
import { formatPageId, MAX_DEPTH } from './page.ts';
import { bytesOf, validateQuota } from './page-bytes.ts';
import { imagesIn } from './page-images.ts';
import { CREATED, type PageToInsert } from './page-to-insert.ts';
import { numberedUrlname } from './positions.ts';
import { toUrlname } from './urlname.ts';

/**
 * Creates a page, last among its siblings, and returns its id. Outside a transaction, the page shares a transaction with
 * other pages that are created at the same time, if it breaks no rule.
 * @throws ValidationError with every field that breaks a rule; AppError `unauthorized` or `suspended` because of the key.
 * Nothing is changed then.
 */
export async function createPage(db: Db | Trx, accountId: number, input: CreatePageInput): Promise<number> {
  const { values, failures } = parseCreatePageInput(input);
  const { parentId } = values;
  const { userId, keyId, ip, actor, quota } = input;
  const page =
    failures.length > 0 || parentId === undefined
      ? undefined
      : {
          ...values,
          accountId,
          parentId,
          urlname: toUrlname(values.name),
          images: imagesIn(values.body),
          userId,
          keyId,
          // With an actor, `createAlone` records the event, so the insertion must not.
          ip: actor ? null : ip,
          quota,
          traceparent: currentTraceparent(),
        };
  const id = page && !actor && !db.isTransaction ? await createWithOthers(db, page) : undefined;
  if (id !== undefined) return id;
  return inTransaction(db, async (trx) => {
    const id = page && (await createAlone(trx, page, actor));
    if (id !== undefined) return id;
    if (keyId !== undefined) await assertKeyActive(trx, accountId, keyId);
    const all = await listFailures(trx, accountId, { ...values, quota }, failures);
    if (all.length > 0 || !page) throw new ValidationError(all);
    // No rule is broken except that the urlname is taken.
    const urlname = await numberedUrlname(trx, accountId, page.parentId ?? 0, page.urlname);
    const renamed = await createAlone(trx, { ...page, urlname }, actor);
    if (renamed === undefined) throw notFound('The account');
    return renamed;
  });
}

async function createAlone(trx: Trx, page: PageToInsert, actor: UserActor | undefined): Promise<number | undefined> {
  const { accountId, name } = page;
  await lockAccount(trx, accountId);
  const id = (await insertPages(trx, [page])).get(page) ?? undefined;
  if (id !== undefined && actor) {
    await recordAuditEvent(trx, accountId, actor, { action: CREATED, subject: formatPageId(id), details: { name } });
  }
  return id;
}

export const nameTaken: FieldError = { field: 'name', code: 'taken' };

/**
 * Returns the known failures and those that only the database can tell, so that a refused request lists all of them at once.
 * Only called after an insertion has failed: a successful creation needs no check beforehand.
 */
async function listFailures(
  trx: Trx,
  accountId: number,
  values: PageValues & { quota: number },
  known: readonly FieldError[],
): Promise<FieldError[]> {
  const { name, parentId, quota } = values;
  const bytes = bytesOf(values);
  const account = await trx
    .selectFrom('accounts')
    .select('page_bytes')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const full = await findPlanLimitFailure(trx, accountId, 'pages');
  const noRoom = validateQuota({ bytes, pageBytes: account.page_bytes + bytes, quota });
  const failures = [...known, ...noRoom, ...(full ? [full] : [])];
  if (parentId !== null) {
    const depth = parentId === undefined ? 0 : await depthOf(trx, accountId, parentId);
    if (depth === 0) failures.push({ field: 'parent_id', code: 'missing' });
    else if (depth >= MAX_DEPTH) failures.push({ field: 'parent_id', code: 'too_deep' });
  }
  if (failures.some(({ field }) => field === 'name')) return failures;
  const namesake = await trx
    .selectFrom('pages')
    .select('id')
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .executeTakeFirst();
  return namesake ? [nameTaken, ...failures] : failures;
}
