import type { Trx } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { raiseContentVersion } from './content-version.ts';
import { discardDraft, findDraft } from './drafts.ts';
import type { SomePageFields } from './page-fields.ts';
import { type PageChange, updatePage } from './update-page.ts';

export interface PublishPageInput {
  id: number;
  userId: number;
  /** The version of the page that the user began with. */
  basedOn: number;
  /** undefined: those of the user's draft. */
  fields: SomePageFields | undefined;
}

/**
 * Makes what the user has written the page's state. Their draft is gone then; it stays where this fails.
 * @throws AppError `not_found` for a page, or a draft, that is not there; ValidationError; PageConflict when somebody was
 * faster.
 */
export async function publishPage(trx: Trx, accountId: number, input: PublishPageInput): Promise<PageChange> {
  const { id, userId, basedOn } = input;
  await raiseContentVersion(trx, accountId, Date.now());
  const fields = input.fields ?? (await findDraft(trx, accountId, { id, userId }))?.fields;
  if (!fields) throw notFound('The draft');
  const change = await updatePage(trx, accountId, { id, userId, basedOn, fields });
  await discardDraft(trx, accountId, { id, userId });
  return change;
}
