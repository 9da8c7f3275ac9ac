import { sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { inJsonList } from '../db/json-list.ts';
import { comparePages, type LinkedPage, type PageChange, type TemplatePage } from './compare-pages.ts';
import { mapPages } from './map-pages.ts';
import { pageHash } from './page-hash.ts';
import { getSiteAccess, type SiteToCopy } from './read-site.ts';

/** A template with the hashes of its pages, read and hashed once for many sites. */
export interface TemplateToPush extends Omit<SiteToCopy, 'pages' | 'template'> {
  template: { id: number; name: string };
  pages: TemplatePage[];
}

export async function withHashes({ pages, template, ...site }: SiteToCopy): Promise<TemplateToPush> {
  const hashed = await mapPages(pages, (page) => ({ ...page, hash: pageHash(page) }));
  return { ...site, template: template!, pages: hashed };
}

/**
 * Returns the changes that a push of the template would make on a site, and the pages that it would leave. Reads contents
 * only of pages that may have changed on both sides: their version differs from when they were last in sync, and so does the
 * template's hash.
 */
export async function planPush(db: Db | Trx, siteId: number, template: TemplateToPush): Promise<PageChange[]> {
  const { rows } = await sql<Link>`
    select its.page_id as "pageId", its.source_id as "sourceId", its.hash, its.version, pages.version as "present", pages.name
    from template_pages as its left join pages on pages.account_id = its.account_id and pages.id = its.page_id
    where its.account_id = ${siteId} order by its.page_id`.execute(db);
  const { isAllowed } = await getSiteAccess(db, siteId);
  if (isAllowed === 0) return withoutAccess(template, rows);
  const hashes = new Map(template.pages.map(({ id, hash }) => [id, hash]));
  const unsure = rows.filter(
    ({ sourceId, hash, version, present }) =>
      present !== null && present !== version && hashes.has(sourceId) && hashes.get(sourceId) !== hash,
  );
  const presentHashes = await hashPages(
    db,
    siteId,
    unsure.map(({ pageId }) => pageId),
  );
  const linked = rows.map(({ version, present, ...link }): LinkedPage => {
    const isThere = present !== null;
    return { ...link, present: isThere ? (presentHashes.get(link.pageId) ?? link.hash) : null };
  });
  return withoutClashes(db, siteId, template, linked, comparePages(template.pages, linked));
}

/**
 * Returns the pages that the template has changed, all as left, for a customer who does not allow its agency to work on the
 * site. They have the names of the template: the agency must not learn what the customer has done with its pages.
 */
function withoutAccess(template: TemplateToPush, links: readonly Link[]): PageChange[] {
  const hashes = new Map(links.map(({ sourceId, hash }) => [sourceId, hash]));
  return template.pages
    .filter(({ id, hash }) => hashes.get(id) !== hash)
    .map(({ id: sourceId, name }) => ({ kind: 'left', reason: 'not_allowed', sourceId, pageId: null, name }));
}

interface Link {
  pageId: number;
  sourceId: number;
  hash: string;
  version: number;
  /** The page's present version; null if the page was deleted. */
  present: number | null;
  name: string | null;
}

async function hashPages(db: Db | Trx, siteId: number, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const pages = await db
    .selectFrom('pages')
    .select(['id', 'name', 'urlname', 'is_hidden', 'description', 'body', 'body_format as bodyFormat', 'status'])
    .where('account_id', '=', siteId)
    .where('id', 'in', ids)
    .execute();
  return new Map(pages.map(({ id, is_hidden, ...page }) => [id, pageHash({ ...page, isHidden: is_hidden === 1 })]));
}

/** Turns changes into pages that are left if another page of the site has the name, or a new page would have no parent. */
async function withoutClashes(
  db: Db | Trx,
  siteId: number,
  template: TemplateToPush,
  linked: readonly LinkedPage[],
  changes: readonly PageChange[],
): Promise<PageChange[]> {
  const pages = new Map(template.pages.map((page) => [page.id, page]));
  const pending = changes.filter(({ kind }) => kind === 'update' || kind === 'add');
  if (pending.length === 0) return [...changes];
  const names = pending.map(({ sourceId }) => pages.get(sourceId)!.name);
  const taken = await db
    .selectFrom('pages')
    .select(['id', 'name'])
    .where('account_id', '=', siteId)
    .where(inJsonList(db as Db, 'name', sql.val(JSON.stringify(names))))
    .execute();
  const owners = new Map(taken.map(({ id, name }) => [name, id]));
  // The former names of updated pages become free.
  const updated = new Set(pending.flatMap((change) => (change.kind === 'update' ? [change.pageId] : [])));
  const presentSources = new Set(linked.flatMap(({ sourceId, present }) => (present === null ? [] : [sourceId])));
  return changes.map((change): PageChange => {
    if (change.kind !== 'update' && change.kind !== 'add') return change;
    const { sourceId, name } = change;
    const page = pages.get(sourceId)!;
    const pageId = change.kind === 'update' ? change.pageId : null;
    const owner = owners.get(page.name);
    if (owner !== undefined && owner !== pageId && !updated.has(owner)) {
      return { kind: 'left', reason: 'name_taken', sourceId, pageId, name };
    }
    if (change.kind === 'add') {
      if (page.parentId !== null && !presentSources.has(page.parentId)) {
        return { kind: 'left', reason: 'no_parent', sourceId, pageId, name };
      }
      presentSources.add(sourceId);
    }
    return change;
  });
}
