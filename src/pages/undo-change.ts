import { recordAuditEvent, type UserActor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { LimitReached, ValidationError } from '../errors.ts';
import { Refusal } from '../refusal.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { movePageTo } from './move-page.ts';
import { formatPageId } from './page.ts';
import { PageConflict } from './page-conflict.ts';
import { restoreDeletedPages } from './restore-deleted-pages.ts';
import { getRevision, hasContentsOf } from './revisions.ts';
import { takeUndo, type Undo } from './undos.ts';
import { revertUpdate } from './update-page.ts';

interface Undone {
  kind: Undo['kind'];
  pageId: number;
  /** The id for undoing the undo; undefined if it cannot be undone. */
  undo: number | undefined;
}

interface UndoChangeInput {
  /** The id that the change returned. */
  id: number;
  /** The most bytes that the account's pages may take up together. */
  quota: number;
}

/**
 * Undoes a change of pages.
 * @throws AppError `not_found` if the change cannot be undone any more; `conflict` if it has been undone, or a later change
 * is in the way; LimitReached
 */
export async function undoChange(trx: Trx, accountId: number, input: UndoChangeInput, by: UserActor): Promise<Undone> {
  // Raising the version locks the account, so two requests to undo one change run one after the other.
  await raiseContentVersion(trx, accountId, Date.now());
  const taken = await takeUndo(trx, accountId, input.id);
  try {
    const undo = await applyUndo(trx, accountId, { ...input, ...taken }, by);
    const { kind, payload } = taken;
    const event = { action: 'page.undone', subject: formatPageId(payload.pageId), details: { change: kind } };
    await recordAuditEvent(trx, accountId, by, event);
    return { kind, pageId: payload.pageId, undo };
  } catch (error) {
    if (error instanceof LimitReached) throw error;
    if (error instanceof PageConflict || error instanceof ValidationError) {
      throw new Refusal('conflict', { reason: 'undo_overtaken' });
    }
    throw error;
  }
}

async function applyUndo(
  trx: Trx,
  accountId: number,
  { id, quota, ...taken }: Undo & UndoChangeInput,
  by: UserActor,
): Promise<number | undefined> {
  if (taken.kind === 'delete') {
    await restoreDeletedPages(trx, accountId, { undo: id, pageId: taken.payload.pageId });
    return undefined;
  }
  if (taken.kind === 'move') {
    const { pageId, urlname, ...place } = taken.payload;
    const change = await movePageTo(trx, accountId, { id: pageId, ...place }, by, urlname);
    return change.undo;
  }
  const { pageId, revisionId, version, fields, status } = taken.payload;
  const before = revisionId === undefined ? [] : Object.entries(await getRevision(trx, accountId, revisionId));
  const old = Object.fromEntries(before.filter(([field]) => fields.includes(field)));
  // If later changes were undone, the page has the contents again that this change gave it.
  const basedOn = (await hasContentsOf(trx, accountId, { id: pageId, version })) ? undefined : version;
  const change = await revertUpdate(trx, accountId, { id: pageId, basedOn, fields: old, status, quota }, by);
  return change.undo;
}
