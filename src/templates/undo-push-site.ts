import { recordAuditEvent, type UserActor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { deletePage } from '../pages/delete-page.ts';
import { formatPageId } from '../pages/page.ts';
import { getRevision, isUnchangedSince } from '../pages/revisions.ts';
import { revertUpdate } from '../pages/update-page.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { findClash } from './find-clash.ts';
import { type PushedPage, readResult } from './push-result.ts';
import { checkSiteAccess, getSiteAccess } from './read-site.ts';
import { sellerActor } from './seller-actor.ts';

interface UndoSiteInput {
  pushId: number;
  siteId: number;
  /** The name of the template. */
  template: string;
  pageQuota: number;
}

/**
 * Undoes a push on one site: restores updated pages, and moves added ones to the trash. Pages that were changed after the push
 * are left, and listed. Does nothing if the site has been undone already.
 * @throws LimitReached; Refusal if the customer does not allow its agency to act in its account
 */
export async function undoPushSite(trx: Trx, input: UndoSiteInput): Promise<void> {
  const { pushId, siteId } = input;
  await lockAccount(trx, siteId);
  const claimed = await trx
    .updateTable('template_push_sites')
    .set({ state: 'undone', done_at: Date.now() })
    .where('account_id', '=', siteId)
    .where('push_id', '=', pushId)
    .where('state', '=', 'undo')
    .returning('result')
    .executeTakeFirst();
  if (!claimed) return;
  checkSiteAccess(await getSiteAccess(trx, siteId));
  const result = readResult(claimed.result);
  const by = await sellerActor(trx, siteId);
  const kept: { pageId: number; name: string }[] = [];
  // In reverse order: pages were added after their parents.
  for (const page of result.pages.toReversed()) {
    const isUndone = await (page.before ? revert(trx, input, page, by) : removeAdded(trx, input, page, by));
    if (!isUndone) kept.push({ pageId: page.pageId, name: page.name });
  }
  await trx
    .updateTable('template_push_sites')
    .set({
      changed_pages: result.pages.length - kept.length,
      left_pages: kept.length,
      result: JSON.stringify({ ...result, kept: kept.toReversed(), failure: undefined }),
    })
    .where('account_id', '=', siteId)
    .where('push_id', '=', pushId)
    .execute();
}

/** Restores the page's state before the push. Returns false, and changes nothing, if the page was changed since. */
async function revert(trx: Trx, input: UndoSiteInput, page: PushedPage, by: UserActor): Promise<boolean> {
  const { siteId, template, pageQuota: quota } = input;
  const before = page.before!;
  const present = await findUnchanged(trx, siteId, page);
  if (!present) return false;
  const revision = await trx
    .selectFrom('revisions')
    .select('id')
    .where('account_id', '=', siteId)
    .where('page_id', '=', page.pageId)
    .where('version', '=', before.version)
    .executeTakeFirst();
  // Without a revision, the push changed only the status.
  const old = revision ? Object.entries(await getRevision(trx, siteId, revision.id)) : [];
  const fields = Object.fromEntries(old.filter(([field]) => before.fields.includes(field)));
  const names = fields as { name: string; urlname: string };
  if (revision && (await findClash(trx, siteId, { ...present, ...names }))) return false;
  const { status } = before;
  await revertUpdate(trx, siteId, { id: page.pageId, basedOn: page.version, fields, status, quota }, by);
  const { version } = await trx
    .selectFrom('pages')
    .select('version')
    .where('account_id', '=', siteId)
    .where('id', '=', page.pageId)
    .executeTakeFirstOrThrow();
  await trx
    .updateTable('template_pages')
    .set({ version, hash: before.hash })
    .where('account_id', '=', siteId)
    .where('page_id', '=', page.pageId)
    .execute();
  const event = { action: 'page.template_undone', subject: formatPageId(page.pageId), details: { template } };
  await recordAuditEvent(trx, siteId, by, event);
  return true;
}

async function removeAdded(trx: Trx, { siteId }: UndoSiteInput, page: PushedPage, by: UserActor): Promise<boolean> {
  if (!(await findUnchanged(trx, siteId, page))) return false;
  const child = trx
    .selectFrom('pages')
    .select('id')
    .where('account_id', '=', siteId)
    .where('parent_id', '=', page.pageId);
  if (await child.limit(1).executeTakeFirst()) return false;
  await deletePage(trx, siteId, page.pageId, by);
  await trx.deleteFrom('template_pages').where('account_id', '=', siteId).where('page_id', '=', page.pageId).execute();
  return true;
}

/** Returns the page; undefined if it was changed after the push. */
async function findUnchanged(trx: Trx, siteId: number, { pageId, version }: PushedPage) {
  const page = await trx
    .selectFrom('pages')
    .select(['id', 'version', 'parent_id as parentId'])
    .where('account_id', '=', siteId)
    .where('id', '=', pageId)
    .executeTakeFirst();
  return page && (await isUnchangedSince(trx, siteId, page, version)) ? page : undefined;
}
