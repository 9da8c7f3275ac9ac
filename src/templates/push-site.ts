import { recordAuditEvent, type UserActor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { type ImageToCopy, insertImageCopies } from '../media/copy-images.ts';
import { depthOf } from '../pages/depth.ts';
import { insertPages } from '../pages/insert-pages.ts';
import { formatPageId, MAX_DEPTH } from '../pages/page.ts';
import { imagesIn } from '../pages/page-images.ts';
import { updatePage } from '../pages/update-page.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { findPlanLimitFailure } from '../tenancy/plan-limits.ts';
import type { LeftReason, PageChange, TemplatePage } from './compare-pages.ts';
import { findClash } from './find-clash.ts';
import { pageHash } from './page-hash.ts';
import { planPush, type TemplateToPush } from './plan-push.ts';
import type { LeftPage, PushedPage } from './push-result.ts';
import { sellerActor } from './seller-actor.ts';

interface PushSiteInput {
  pushId: number;
  siteId: number;
  template: TemplateToPush;
  /** The images that the site lacks, already copied to its folders. */
  images: readonly ImageToCopy[];
  pageQuota: number;
  imageQuota: number;
}

/**
 * Runs a push for one site: updates the pages that are unchanged there, adds new ones, and lists those that it leaves. Replaced
 * contents become revisions. Returns undefined, and changes nothing, if the site is already done or the push was stopped.
 * @throws LimitReached; AppError `conflict` if the images do not fit the quota
 */
export async function pushSite(
  trx: Trx,
  input: PushSiteInput,
): Promise<{ pages: PushedPage[]; left: LeftPage[] } | undefined> {
  const { pushId, siteId, template } = input;
  await lockAccount(trx, siteId);
  const claimed = await trx
    .updateTable('template_push_sites')
    .set({ state: 'done', done_at: Date.now() })
    .where('account_id', '=', siteId)
    .where('push_id', '=', pushId)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow();
  if (claimed.numUpdatedRows === 0n) return undefined;
  const result = await makeChanges(trx, input, await planPush(trx, siteId, template));
  await trx
    .updateTable('template_push_sites')
    .set({ changed_pages: result.pages.length, left_pages: result.left.length, result: JSON.stringify(result) })
    .where('account_id', '=', siteId)
    .where('push_id', '=', pushId)
    .execute();
  return result;
}

interface Work {
  trx: Trx;
  input: PushSiteInput;
  by: UserActor;
  /** The ids of the site's pages by those of the template's pages. */
  links: Map<number, number>;
}

async function makeChanges(trx: Trx, input: PushSiteInput, changes: readonly PageChange[]) {
  const { siteId, template } = input;
  const sources = new Map(template.pages.map((page) => [page.id, page]));
  const pending = changes.filter(({ kind }) => kind === 'update' || kind === 'add');
  const by = await sellerActor(trx, siteId);
  const hashes = new Set(
    pending.flatMap(({ sourceId }) => imagesIn(sources.get(sourceId)!.body, Number.POSITIVE_INFINITY)),
  );
  const images = input.images.filter(({ hash }) => hashes.has(hash));
  await insertImageCopies(trx, siteId, images, { userId: by.userId, quota: input.imageQuota });
  const rows = await trx
    .selectFrom('template_pages')
    .select(['source_id', 'page_id'])
    .where('account_id', '=', siteId)
    .execute();
  const links = new Map(rows.map((row) => [row.source_id, row.page_id]));
  const work = { trx, input, by, links };
  const pages: PushedPage[] = [];
  const left: LeftPage[] = [];
  for (const change of changes) {
    const { kind, sourceId } = change;
    const source = sources.get(sourceId)!;
    if (kind === 'left') left.push({ ...change, kind: undefined } as LeftPage);
    else if (kind === 'same') await link(work, source, change.pageId);
    else {
      const outcome = kind === 'update' ? await update(work, change.pageId, source) : await add(work, source);
      if (typeof outcome === 'string') {
        const pageId = kind === 'update' ? change.pageId : null;
        left.push({ reason: outcome, sourceId, pageId, name: change.name });
      } else pages.push(outcome);
    }
  }
  return { pages, left };
}

async function update(
  { trx, input, by, links }: Work,
  id: number,
  source: TemplatePage,
): Promise<PushedPage | LeftReason> {
  const { siteId, template, pageQuota: quota } = input;
  const before = await trx
    .selectFrom('pages')
    .innerJoin('template_pages as its', (join) =>
      join.onRef('its.account_id', '=', 'pages.account_id').onRef('its.page_id', '=', 'pages.id'),
    )
    .select(['pages.version', 'pages.status', 'its.hash', 'pages.parent_id as parentId'])
    .where('pages.account_id', '=', siteId)
    .where('pages.id', '=', id)
    .executeTakeFirstOrThrow();
  const clash = await findClash(trx, siteId, { ...source, id, parentId: before.parentId });
  if (clash) return clash;
  const { name, urlname, isHidden, description, body, bodyFormat, status } = source;
  const fields = { name, urlname, isHidden, description, body, bodyFormat };
  const event = { action: 'page.updated_from_template', details: { template: template.template.name } };
  await updatePage(trx, siteId, { id, basedOn: undefined, fields, status, quota, event }, by);
  const version = await link({ trx, input, by, links }, source, id);
  const changedStatus = status === before.status ? {} : { status: before.status };
  return {
    kind: 'updated',
    pageId: id,
    name,
    version,
    before: { version: before.version, hash: before.hash, fields: Object.keys(fields), ...changedStatus },
  };
}

async function add(work: Work, source: TemplatePage): Promise<PushedPage | LeftReason> {
  const { trx, input, by, links } = work;
  const { siteId, template, pageQuota: quota } = input;
  const parentId = source.parentId === null ? null : links.get(source.parentId);
  const depth = parentId ? await depthOf(trx, siteId, parentId) : 0;
  if (parentId === undefined || (parentId !== null && depth === 0)) return 'no_parent';
  if (depth >= MAX_DEPTH) return 'too_deep';
  const clash = await findClash(trx, siteId, { ...source, id: 0, parentId });
  if (clash) return clash;
  if (await findPlanLimitFailure(trx, siteId, 'pages')) return 'plan_limit';
  const page = {
    accountId: siteId,
    parentId,
    name: source.name,
    urlname: source.urlname,
    status: source.status,
    isHidden: source.isHidden ? (1 as const) : (0 as const),
    body: source.body,
    images: imagesIn(source.body),
    description: source.description,
    bodyFormat: source.bodyFormat || undefined,
    userId: by.userId,
    ip: null,
    traceparent: null,
    quota,
  };
  const id = (await insertPages(trx, [page])).get(page);
  if (!id) return 'plan_limit';
  await trx
    .updateTable('pages')
    .set({ custom_date: source.customDate, body_format: source.bodyFormat })
    .where('account_id', '=', siteId)
    .where('id', '=', id)
    .execute();
  const details = { template: template.template.name, name: source.name };
  await recordAuditEvent(trx, siteId, by, { action: 'page.added_from_template', subject: formatPageId(id), details });
  links.set(source.id, id);
  return { kind: 'added', pageId: id, name: source.name, version: await link(work, source, id) };
}

/** Records that the page is in sync with the template's page. Returns the page's version. */
async function link({ trx, input: { siteId } }: Work, source: TemplatePage, id: number): Promise<number> {
  const { version, is_hidden, ...page } = await trx
    .selectFrom('pages')
    .select(['version', 'name', 'urlname', 'is_hidden', 'description', 'body', 'body_format as bodyFormat', 'status'])
    .where('account_id', '=', siteId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const row = { version, hash: pageHash({ ...page, isHidden: is_hidden === 1 }) };
  await trx
    .insertInto('template_pages')
    .values({ account_id: siteId, page_id: id, source_id: source.id, ...row })
    .onConflict((conflict) => conflict.columns(['account_id', 'page_id']).doUpdateSet(row))
    .execute();
  return version;
}
