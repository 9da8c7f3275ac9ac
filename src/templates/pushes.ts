import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import type { TemplatePushesTable, TemplatePushSitesTable } from '../db/schema.ts';
import { notFound } from '../errors.ts';
import { Refusal } from '../refusal.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { getTemplate } from './templates.ts';

type PushRow = Selectable<TemplatePushesTable>;
type PushSiteState = Selectable<TemplatePushSitesTable>['state'];

/** A push, and the number of sites in each state. */
export interface Push extends PushRow {
  templateName: string;
  sites: Record<PushSiteState, number>;
  changedPages: number;
  leftPages: number;
}

/** How long a push can be undone: as long as the pages that it deleted can be restored. */
const UNDO_RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

/** Matches sites that are not deleted: a deleted site gets no changes until it is restored. */
const isSiteNotDeleted = sql<boolean>`sites.deleted_at is null and sites.deletes_at is null`;

/** Selects the sites that were made from a template. */
export function selectSites(db: Db | Trx, accountId: number, templateId: number) {
  return db
    .selectFrom('template_sites')
    .innerJoin('accounts as sites', 'sites.id', 'template_sites.account_id')
    .where('template_sites.template_id', '=', templateId)
    .where('sites.parent_id', '=', accountId)
    .where(isSiteNotDeleted);
}

/** Matches pushes that may have sites to do or to undo. Uses the exact condition of the index of these pushes. */
export const isOpen = sql<boolean>`(finished_at is null or (undo_begun_at is not null and undone_at is null))`;

interface StartPushInput {
  templateId: number;
  /** The content version of the template's site that the user has seen. */
  seenVersion: number;
}

/**
 * Starts to pass the changes of a template on to all sites that were made from it. The service does so in the background
 * (`run-pushes.ts`). Returns the push's id.
 * @throws AppError `not_found`; `conflict` if the template has changed since `seenVersion`, or another push of it is running
 */
export async function startPush(
  trx: Trx,
  accountId: number,
  { templateId, seenVersion }: StartPushInput,
  by: Actor,
): Promise<number> {
  await lockAccount(trx, accountId);
  const template = await getTemplate(trx, accountId, templateId);
  if ((await templateVersion(trx, template.site_id)) !== seenVersion) {
    throw new Refusal('conflict', { reason: 'template_changed' });
  }
  const busy = await selectPushes(trx, accountId)
    .select('id')
    .where('template_id', '=', templateId)
    .where(isOpen)
    .executeTakeFirst();
  if (busy) {
    throw new Refusal('conflict', { reason: 'push_under_way' });
  }
  const { id } = await trx
    .insertInto('template_pushes')
    .values({
      account_id: accountId,
      template_id: templateId,
      created_at: Date.now(),
      created_by: by.name,
      user_id: by.userId,
      finished_at: null,
      stopped_at: null,
      undo_begun_at: null,
      undone_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const sites = selectSites(trx, accountId, templateId).select([
    'template_sites.account_id',
    sql<number>`cast(${id} as bigint)`.as('push_id'),
    sql<'waiting'>`'waiting'`.as('state'),
    sql<number>`0`.as('changed_pages'),
    sql<number>`0`.as('left_pages'),
    sql<string>`''`.as('result'),
  ]);
  const { numInsertedOrUpdatedRows: count } = await trx
    .insertInto('template_push_sites')
    .columns(['account_id', 'push_id', 'state', 'changed_pages', 'left_pages', 'result'])
    .expression(sites)
    .executeTakeFirstOrThrow();
  await finishPush(trx, accountId, id);
  const details = { name: template.name, sites: Number(count) };
  await recordAuditEvent(trx, accountId, by, { action: 'template.pushed', subject: `template_${templateId}`, details });
  return id;
}

/**
 * Starts to undo a push on all sites, in the background. Sites that are not done yet are stopped. If the undo fails on some
 * sites, it can be started again for these.
 * @throws AppError `not_found`; `conflict` if the push has been undone, is too old, or is not the latest
 */
export async function undoPush(trx: Trx, accountId: number, id: number, by: Actor): Promise<void> {
  const push = await lockPush(trx, accountId, id);
  const isUnderWay = push.undo_begun_at !== null && push.undone_at === null;
  if (isUnderWay || (push.undone_at !== null && push.sites.done === 0)) {
    throw new Refusal('conflict', { reason: 'undone_already' });
  }
  if (push.created_at < Date.now() - UNDO_RETENTION_MS) throw new Refusal('conflict', { reason: 'push_too_old' });
  const later = await selectPushes(trx, accountId)
    .select('id')
    .where('template_id', '=', push.template_id)
    .where('id', '>', id)
    .where('undone_at', 'is', null)
    .executeTakeFirst();
  if (later) {
    throw new Refusal('conflict', { reason: 'later_push' });
  }
  const now = Date.now();
  await setStates(trx, id, 'waiting', 'stopped');
  await setStates(trx, id, 'done', 'undo');
  await trx
    .updateTable('template_pushes')
    .set({ undo_begun_at: now, undone_at: null, finished_at: push.finished_at ?? now, user_id: by.userId })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
  await finishPush(trx, accountId, id);
  await recordPushEvent(trx, accountId, push, 'template.push_undone', by);
}

/** Marks the push, and its undo, as finished if no site is left to do. */
export async function finishPush(trx: Trx, accountId: number, id: number): Promise<void> {
  await lockAccount(trx, accountId);
  const { sites, finished_at, undo_begun_at, undone_at } = await getPush(trx, accountId, id);
  const now = Date.now();
  const isFinished = finished_at === null && sites.waiting === 0;
  const isUndone = undo_begun_at !== null && undone_at === null && sites.undo === 0;
  if (!isFinished && !isUndone) return;
  await trx
    .updateTable('template_pushes')
    .set({ ...(isFinished && { finished_at: now }), ...(isUndone && { undone_at: now }) })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

/** Returns the content version of a template's site, which every change raises. */
export async function templateVersion(db: Db | Trx, siteId: number): Promise<number> {
  const account = db.selectFrom('accounts').select('content_version').where('id', '=', siteId);
  return (await account.executeTakeFirst())?.content_version ?? 0;
}

/** Lists the latest pushes of a template. */
export async function listPushes(db: Db, accountId: number, templateId: number): Promise<Push[]> {
  const rows = await selectPushes(db, accountId)
    .selectAll()
    .where('template_id', '=', templateId)
    .orderBy('id', 'desc')
    .limit(20)
    .execute();
  return withCounts(db, accountId, rows);
}

/** @throws AppError `not_found` */
export async function getPush(db: Db | Trx, accountId: number, id: number): Promise<Push> {
  const row = await selectPushes(db, accountId).selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('The push');
  return (await withCounts(db, accountId, [row]))[0]!;
}

interface ListPushSitesInput {
  after: number;
  limit: number;
  /** `left` lists only sites with pages that were left, or that could not be changed. */
  only?: 'left' | undefined;
}

/** Lists the sites of a push in the order of their ids. */
export function listPushSites(db: Db, id: number, { after, limit, only }: ListPushSitesInput) {
  return db
    .selectFrom('template_push_sites as its')
    .innerJoin('accounts', 'accounts.id', 'its.account_id')
    .select(['its.account_id as siteId', 'accounts.name', 'its.state', 'its.result'])
    .where('its.push_id', '=', id)
    .where('its.account_id', '>', after)
    .$if(only === 'left', (query) =>
      query.where((e) => e.or([e('its.left_pages', '>', 0), e('its.state', '=', 'failed')])),
    )
    .orderBy('its.account_id')
    .limit(limit)
    .execute();
}

export function selectPushes(db: Db | Trx, accountId: number) {
  return db.selectFrom('template_pushes').where('account_id', '=', accountId);
}

async function withCounts(db: Db | Trx, accountId: number, pushes: readonly PushRow[]): Promise<Push[]> {
  const result: Push[] = [];
  for (const push of pushes) {
    const counts = await db
      .selectFrom('template_push_sites')
      .select((e) => ['state', e.fn.countAll<number>().as('sites'), e.fn.sum<number>('changed_pages').as('changed')])
      .select((e) => e.fn.sum<number>('left_pages').as('left'))
      .where('push_id', '=', push.id)
      .groupBy('state')
      .execute();
    const sites = { waiting: 0, done: 0, failed: 0, stopped: 0, undo: 0, undone: 0 };
    for (const { state, sites: count } of counts) sites[state] = count;
    const sum = (values: number[]) => values.reduce((all, value) => all + Number(value), 0);
    const { name: templateName } = await getTemplate(db, accountId, push.template_id);
    result.push({
      ...push,
      templateName,
      sites,
      changedPages: sum(counts.map(({ changed }) => changed)),
      leftPages: sum(counts.map(({ left }) => left)),
    });
  }
  return result;
}

/** @throws AppError `not_found` */
export async function lockPush(trx: Trx, accountId: number, id: number): Promise<Push> {
  await lockAccount(trx, accountId);
  return getPush(trx, accountId, id);
}

/** Changes the state of the push's sites. Waits for a site that is being done, since its row is locked meanwhile. */
export async function setStates(trx: Trx, id: number, from: PushSiteState, to: PushSiteState): Promise<void> {
  await trx
    .updateTable('template_push_sites')
    .set({ state: to })
    .where('push_id', '=', id)
    .where('state', '=', from)
    .execute();
}

export async function recordPushEvent(
  trx: Trx,
  accountId: number,
  push: Push,
  action: string,
  by: Actor,
): Promise<void> {
  const details = { name: push.templateName };
  await recordAuditEvent(trx, accountId, by, { action, subject: `template_${push.template_id}`, details });
}
