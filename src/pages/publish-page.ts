import type { UserActor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import type { Timestamp } from '../db/schema.ts';
import { AppError, notFound } from '../errors.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { deleteDraft, findDraft } from './drafts.ts';
import type { SomePageFields } from './page-fields.ts';
import { type PageChange, updatePage } from './update-page.ts';

interface PublishPageInput {
  id: number;
  /** The version of the page that the user began with; undefined for the version that their draft is based on. */
  basedOn: number | undefined;
  /** The fields to publish; undefined to publish the user's draft, or the page as it is. */
  fields: SomePageFields | undefined;
  /** The `updatedAt` of the draft that the fields come from; null for none. */
  draftAt: Timestamp | null;
  /** The most bytes that the account's pages may take up together. */
  quota: number;
}

/**
 * Publishes the page with the user's fields or draft. The draft is then deleted, unless another device or tab has saved a
 * newer one. If publishing fails, the draft stays.
 * @throws AppError `not_found` if there is no such page, or nothing to publish; ValidationError; PageConflict if another change
 * came first
 */
export async function publishPage(
  trx: Trx,
  accountId: number,
  input: PublishPageInput,
  by: UserActor,
): Promise<PageChange> {
  const { id, quota } = input;
  const { userId } = by;
  await raiseContentVersion(trx, accountId, Date.now());
  const draft = input.fields
    ? { fields: input.fields, basedOn: undefined, updatedAt: input.draftAt }
    : await findDraft(trx, accountId, { id, userId });
  if (!draft && (await isPublished(trx, accountId, id))) {
    throw new AppError('not_found', 'The page is already published, and has no draft.');
  }
  // The draft is deleted first, because the page needs its storage.
  if (draft) await deleteDraft(trx, accountId, { id, userId, draftAt: draft.updatedAt });
  const basedOn = input.basedOn ?? draft?.basedOn;
  const change = { id, basedOn, fields: draft?.fields ?? {}, status: 'published', quota } as const;
  return updatePage(trx, accountId, { ...change, event: { action: 'page.published' } }, by);
}

async function isPublished(trx: Trx, accountId: number, id: number): Promise<boolean> {
  const page = await trx
    .selectFrom('pages')
    .select('status')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!page) throw notFound('The page');
  return page.status === 'published';
}
