import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Addresses } from '../addresses.ts';
import { isUnavailable } from '../db/constraint.ts';
import type { Db } from '../db/database.ts';
import { AppError, ValidationError } from '../errors.ts';
import { copyImages, listMissingImages } from '../media/copy-images.ts';
import type { MediaStore } from '../media/store.ts';
import { imagesIn } from '../pages/page-images.ts';
import { Refusal } from '../refusal.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { planPush, type TemplateToPush, withHashes } from './plan-push.ts';
import { type PushResult, readResult } from './push-result.ts';
import { pushSite } from './push-site.ts';
import { finishPush, getPush, isOpen, templateVersion } from './pushes.ts';
import { readTemplateAnyway } from './read-site.ts';
import { getTemplate } from './templates.ts';
import { undoPushSite } from './undo-push-site.ts';

export interface PushDependencies {
  readonly db: Db;
  readonly store: MediaStore;
  readonly config: Addresses & { readonly pageQuota: number; readonly mediaQuota: number };
  /** Called with an unexpected error; the site is reported as failed. */
  readonly onError: (error: unknown) => void;
}

/**
 * Runs all open pushes and undos, site by site with a transaction each, so that no customer waits for more than one site.
 * Several processes may do so at once, and continue after a crash: each site is done once. Returns the number of sites done.
 * @throws the database's error if it is not available. Nothing is lost then
 */
export async function runPushes(dependencies: PushDependencies, signal?: AbortSignal): Promise<number> {
  const { db } = dependencies;
  const templates = new TemplateCache(dependencies);
  let count = 0;
  for (let open = await listOpen(db); open.length > 0; open = await listOpen(db)) {
    // One site of each push in turn: a large push does not delay a small one.
    for (const push of open) {
      if (signal?.aborted) return count;
      const due = await findDue(db, push);
      if (due) {
        await doSite(dependencies, templates, due);
        count += 1;
      } else {
        await db.transaction().execute((trx) => finishPush(trx, push.accountId, push.pushId));
      }
      await setImmediate();
    }
  }
  return count;
}

interface OpenPush {
  pushId: number;
  accountId: number;
  templateId: number;
}

interface DueSite extends OpenPush {
  siteId: number;
  state: 'waiting' | 'undo';
}

/** Lists the pushes that have sites to do. Those of a suspended account wait. */
function listOpen(db: Db): Promise<OpenPush[]> {
  return db
    .selectFrom('template_pushes as pushes')
    .innerJoin('accounts', 'accounts.id', 'pushes.account_id')
    .select(['pushes.id as pushId', 'pushes.account_id as accountId', 'pushes.template_id as templateId'])
    .where(isOpen)
    .where('accounts.status', '=', 'active')
    .orderBy('pushes.id')
    .execute();
}

async function findDue(db: Db, push: OpenPush): Promise<DueSite | undefined> {
  const { rows } = await sql<Pick<DueSite, 'siteId' | 'state'>>`
    select account_id as "siteId", state from template_push_sites
    where push_id = ${push.pushId} and (state = 'waiting' or state = 'undo')
    order by account_id limit 1`.execute(db);
  return rows[0] && { ...push, ...rows[0] };
}

async function doSite(dependencies: PushDependencies, templates: TemplateCache, due: DueSite): Promise<void> {
  const { db, config } = dependencies;
  const { pushId, siteId } = due;
  const quotas = { pageQuota: config.pageQuota, imageQuota: config.mediaQuota };
  try {
    if (due.state === 'undo') {
      const { templateName } = await getPush(db, due.accountId, pushId);
      const input = { pushId, siteId, template: templateName, pageQuota: config.pageQuota };
      await db.transaction().execute((trx) => undoPushSite(trx, input));
      return;
    }
    const template = await templates.get(due);
    const images = await listNeededImages(db, siteId, template);
    await copyImages(dependencies, siteId, images, (copies) =>
      db.transaction().execute((trx) => pushSite(trx, { pushId, siteId, template, images: copies, ...quotas })),
    );
  } catch (error) {
    if (isUnavailable(error)) throw error;
    if (!(error instanceof AppError)) dependencies.onError(error);
    await fail(db, due, error);
  }
}

/** Returns the images of changed pages that the site lacks. */
async function listNeededImages(db: Db, siteId: number, template: TemplateToPush) {
  const bodies = new Map(template.pages.map(({ id, body }) => [id, body]));
  const pending = (await planPush(db, siteId, template)).filter(({ kind }) => kind === 'update' || kind === 'add');
  const hashes = new Set(pending.flatMap(({ sourceId }) => imagesIn(bodies.get(sourceId)!, Number.POSITIVE_INFINITY)));
  return listMissingImages(
    db,
    siteId,
    template.images.filter(({ hash }) => hashes.has(hash)),
  );
}

async function fail(db: Db, { pushId, siteId, state }: DueSite, error: unknown): Promise<void> {
  const failure: PushResult['failure'] = {
    code: error instanceof AppError ? error.code : 'internal',
    ...(error instanceof ValidationError && { fields: error.fields }),
    ...(error instanceof Refusal && { why: error.why }),
  };
  await db.transaction().execute(async (trx) => {
    await lockAccount(trx, siteId);
    const query = trx
      .selectFrom('template_push_sites')
      .select('result')
      .where('account_id', '=', siteId)
      .where('push_id', '=', pushId);
    const { result } = (await query.executeTakeFirst()) ?? {};
    // The recorded result stays: the undo still needs it.
    const previous = readResult(result ?? '');
    await trx
      .updateTable('template_push_sites')
      .set({
        state: state === 'undo' ? 'done' : 'failed',
        done_at: Date.now(),
        result: JSON.stringify({ ...previous, failure } satisfies PushResult),
      })
      .where('account_id', '=', siteId)
      .where('push_id', '=', pushId)
      .where('state', '=', state)
      .execute();
  });
}

/** Caches the template that was read last, until it changes. */
class TemplateCache {
  readonly #dependencies: PushDependencies;
  #last: { templateId: number; version: number; template: TemplateToPush } | undefined;

  constructor(dependencies: PushDependencies) {
    this.#dependencies = dependencies;
  }

  async get({ accountId, templateId }: DueSite): Promise<TemplateToPush> {
    const { db, config } = this.#dependencies;
    const { site_id: siteId } = await getTemplate(db, accountId, templateId);
    const version = await templateVersion(db, siteId);
    if (this.#last?.templateId === templateId && this.#last.version === version) return this.#last.template;
    const template = await withHashes(await readTemplateAnyway(db, accountId, templateId, config));
    this.#last = { templateId, version, template };
    return template;
  }
}
