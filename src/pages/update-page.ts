import { sql } from 'kysely';
import { type AuditEvent, recordAuditEvent, type UserActor } from '../audit/record-audit-event.ts';
import { violatedUniqueRule } from '../db/constraint.ts';
import type { Trx } from '../db/database.ts';
import type { PageStatus } from '../db/schema.ts';
import { notFound, ValidationError } from '../errors.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { nameTaken } from './create-page.ts';
import { formatPageId } from './page.ts';
import { bytesOf, reserveBytes } from './page-bytes.ts';
import { checkUnchanged } from './page-conflict.ts';
import { type PageFields, parsePageFields, type SomePageFields } from './page-fields.ts';
import { imagesIn, replaceImages } from './page-images.ts';
import { parentKey } from './positions.ts';
import { recordAddresses, recordOwnAddress, UNDONE_VERSION } from './redirects.ts';
import { storeRevision } from './revisions.ts';
import { queueForSearch } from './search-index.ts';
import { uniqueUrlname } from './siblings.ts';
import { measureSubtree } from './subtree.ts';
import { recordUndo, type Undo } from './undos.ts';
import { toUrlname } from './urlname.ts';

interface UpdatePageInput {
  id: number;
  /** The version that the user has seen; undefined for changes that need not know what they replace. */
  basedOn: number | undefined;
  fields: SomePageFields;
  /** undefined keeps the status. */
  status?: PageStatus | undefined;
  /** The most bytes that the account's pages, revisions and drafts may take up together. */
  quota: number;
  /** The audit event to record instead of `page.changed` with the fields. */
  event?: Pick<AuditEvent, 'action' | 'details'>;
}

/** The effect of a change, made or planned. */
export interface PageChange {
  /** How many pages get another URL. */
  changedUrlCount: number;
  /** The id for undoing the change; undefined if nothing changed. */
  undo: number | undefined;
}

/**
 * Changes the given fields of a page, and its status. Its former contents become a revision. With another urlname, the page and
 * its descendants get new URLs, and the old ones redirect.
 * @throws AppError `not_found`; ValidationError, including LimitReached; PageConflict if the page's contents have changed
 * since `basedOn`
 */
export function updatePage(trx: Trx, accountId: number, input: UpdatePageInput, by: UserActor): Promise<PageChange> {
  return applyUpdate(trx, accountId, input, by, 'new');
}

/** Like `updatePage`, but for an undo: it records no event, and URLs that belonged to other pages go back to these. */
export function revertUpdate(trx: Trx, accountId: number, input: UpdatePageInput, by: UserActor): Promise<PageChange> {
  return applyUpdate(trx, accountId, input, by, 'undone');
}

async function applyUpdate(
  trx: Trx,
  accountId: number,
  input: UpdatePageInput,
  by: UserActor,
  change: 'new' | 'undone',
): Promise<PageChange> {
  const { id, quota } = input;
  const now = Date.now();
  const { version } = await raiseContentVersion(trx, accountId, now);
  const { changed, changedUrlCount, bytes, formerStatus } = await planUpdate(trx, accountId, input);
  const fields = Object.keys(changed);
  const status = input.status === formerStatus ? undefined : input.status;
  if (fields.length === 0 && status === undefined) return { changedUrlCount, undo: undefined };

  let revisionId: number | undefined;
  if (fields.length > 0) {
    // The former contents, now a revision, take up these bytes from now on.
    await reserveBytes(trx, accountId, { bytes, quota });
    revisionId = await storeRevision(trx, accountId, id);
  }
  const oldAddress = { id, version: change === 'new' ? version : UNDONE_VERSION };
  if (changedUrlCount > 0) await recordAddresses(trx, accountId, oldAddress);
  if (status !== undefined && formerStatus === 'published') await recordOwnAddress(trx, accountId, oldAddress);
  // The columns of these fields have other names.
  const { isHidden, customDate, bodyFormat, ...columns } = changed;
  try {
    await trx
      .updateTable('pages')
      .set({ ...columns, version, has_changed: 1, updated_at: now, updated_by: by.userId })
      .$if(status !== undefined, (update) => update.set({ status: status! }))
      .$if(isHidden !== undefined, (update) => update.set({ is_hidden: isHidden ? 1 : 0 }))
      .$if(customDate !== undefined, (update) => update.set({ custom_date: customDate! }))
      .$if(bodyFormat !== undefined, (update) => update.set({ body_format: bodyFormat! }))
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .execute();
  } catch (error) {
    if (violatedUniqueRule(error) === 'pages_name') throw new ValidationError([nameTaken]);
    throw error;
  }
  if (changed.body !== undefined) {
    await replaceImages(trx, accountId, { pageId: id, draftBy: 0 }, imagesIn(changed.body));
  }
  await queueForSearch(trx, accountId, { version, ids: sql`select cast(${id} as bigint) as id` });
  const payload = { pageId: id, version, ...planUndo({ fields, status, formerStatus, revisionId }) };
  const undo = await recordUndo(
    trx,
    accountId,
    { userId: by.userId, version, isUndo: change === 'undone' },
    { kind: 'update', payload },
  );
  if (change === 'new') {
    const event = { action: 'page.changed', details: { fields }, ...input.event };
    await recordAuditEvent(trx, accountId, by, { ...event, subject: formatPageId(id) });
  }
  return { changedUrlCount, undo };
}

type UpdatePayload = Extract<Undo, { kind: 'update' }>['payload'];

interface AppliedUpdate {
  /** The names of the changed fields. */
  fields: string[];
  /** The new status; undefined if it did not change. */
  status: PageStatus | undefined;
  formerStatus: PageStatus;
  revisionId: number | undefined;
}

/**
 * Returns what undoing the update restores. Undoing a publication restores no fields: the page is unpublished with its new text,
 * which would otherwise be lost to its author. With a new text, the page is `unpublished` even if it was a default page.
 */
function planUndo({
  fields,
  status,
  formerStatus,
  revisionId,
}: AppliedUpdate): Omit<UpdatePayload, 'pageId' | 'version'> {
  if (status !== 'published') return { revisionId, fields, status: status && formerStatus };
  return { fields: [], status: fields.length > 0 ? 'unpublished' : formerStatus };
}

/**
 * Returns what an update would change, and how many bytes the page would take up. Changes nothing.
 * @throws the errors of `updatePage`, except those for taken names and for storage
 */
export async function planUpdate(
  trx: Trx,
  accountId: number,
  { id, basedOn, fields: given }: Pick<UpdatePageInput, 'id' | 'basedOn' | 'fields'>,
): Promise<{
  changed: Partial<PageFields>;
  urlname: string;
  changedUrlCount: number;
  bytes: number;
  formerStatus: PageStatus;
}> {
  const { fields, failures } = parsePageFields(given);
  const page = await getPage(trx, accountId, id);
  await checkUnchanged(trx, accountId, page, basedOn);
  const urlname = await chooseUrlname(trx, accountId, page, fields);
  if (urlname === undefined) failures.push({ field: 'urlname', code: 'taken' });
  // Imported pages may have no format, and stay so.
  if (fields.bodyFormat === '' && page.bodyFormat !== '') failures.push({ field: 'body_format', code: 'blank' });
  if (urlname === undefined || failures.length > 0) throw new ValidationError(failures);

  const before: PageFields = { ...page, isHidden: page.isHidden === 1 };
  const after = Object.entries({ ...fields, urlname });
  const changed: Partial<PageFields> = Object.fromEntries(
    after.filter(([field, value]) => value !== undefined && value !== before[field as keyof PageFields]),
  );
  const moves = urlname !== page.urlname;
  const bytes = bytesOf({ ...before, ...changed });
  const { status: formerStatus } = page;
  return {
    changed,
    urlname,
    bytes,
    formerStatus,
    changedUrlCount: moves ? (await measureSubtree(trx, accountId, id)).size : 0,
  };
}

type Page = Awaited<ReturnType<typeof getPage>>;

async function getPage(trx: Trx, accountId: number, id: number) {
  const page = await trx
    .selectFrom('pages')
    .select([
      'id',
      parentKey.as('parent'),
      'name',
      'urlname',
      'is_hidden as isHidden',
      'description',
      'custom_date as customDate',
      'body_format as bodyFormat',
      'version',
      'status',
      'body',
    ])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!page) throw notFound('The page');
  return page;
}

/** Returns the new urlname. One made from the name gets a number if it is taken; undefined if one that a user typed is taken. */
async function chooseUrlname(
  trx: Trx,
  accountId: number,
  page: Page,
  fields: SomePageFields,
): Promise<string | undefined> {
  const typed = fields.urlname?.trim();
  if (typed === undefined) return page.urlname;
  const urlname = toUrlname(typed === '' ? (fields.name ?? page.name) : typed);
  if (urlname === page.urlname) return urlname;
  const free = await uniqueUrlname(trx, accountId, page.parent, urlname);
  if (free === urlname) return urlname;
  if (typed !== '') return undefined;
  // The present urlname is the wanted one with a number: it stays.
  const isNumbered = page.urlname.startsWith(`${urlname}-`) && /^\d+$/.test(page.urlname.slice(urlname.length + 1));
  return isNumbered ? page.urlname : free;
}
