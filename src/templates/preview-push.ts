import type { Addresses } from '../addresses.ts';
import type { Db } from '../db/database.ts';
import { notFound } from '../errors.ts';
import type { PageToCopy } from '../pages/list-pages-to-copy.ts';
import type { PageChange } from './compare-pages.ts';
import { planPush, withHashes } from './plan-push.ts';
import { selectSites, templateVersion } from './pushes.ts';
import { checkSiteAccess, comparedColumns, readTemplateAnyway, readTemplatePage } from './read-site.ts';
import { getTemplate } from './templates.ts';

/** The changes that a push would make on one site. */
export interface SitePreview {
  siteId: number;
  name: string;
  subdomain: string;
  madeAt: number;
  changes: PageChange[];
}

/**
 * Returns the changes that a push of the template would make, for sites with ids above `after`, in the order of their ids.
 * `version` is the template's version, and the push can only be started while the template still has it.
 * @throws AppError `not_found`; `conflict` if the template is too large
 */
export async function previewPush(
  db: Db,
  accountId: number,
  { templateId, after, limit }: { templateId: number; after: number; limit: number },
  addresses: Addresses,
): Promise<{ version: number; sites: SitePreview[]; next: number | null }> {
  const { site_id: sourceId } = await getTemplate(db, accountId, templateId);
  const version = await templateVersion(db, sourceId);
  const template = await withHashes(await readTemplateAnyway(db, accountId, templateId, addresses));
  const rows = await selectSites(db, accountId, templateId)
    .select(['sites.id as siteId', 'sites.name', 'sites.subdomain', 'template_sites.made_at as madeAt'])
    .where('template_sites.account_id', '>', after)
    .orderBy('template_sites.account_id')
    .limit(limit + 1)
    .execute();
  const sites: SitePreview[] = [];
  for (const site of rows.slice(0, limit)) sites.push({ ...site, changes: await planPush(db, site.siteId, template) });
  return { version, sites, next: rows.length > limit ? sites.at(-1)!.siteId : null };
}

type Version = Pick<PageToCopy, 'name' | 'description' | 'body' | 'bodyFormat'>;

/**
 * Returns a page as the template of a customer's site has it, and as the site has it. Each is null if the page does not
 * exist there.
 * @throws AppError `not_found`; Refusal if the customer does not allow its agency to act in its account
 */
export async function comparePage(
  db: Db,
  accountId: number,
  { siteId, sourceId }: { siteId: number; sourceId: number },
  addresses: Addresses,
): Promise<{ template: Version | null; site: Version | null }> {
  const templateSite = await db
    .selectFrom('template_sites')
    .innerJoin('accounts', 'accounts.id', 'template_sites.account_id')
    .leftJoin('agency_access', 'agency_access.account_id', 'accounts.id')
    .select(['template_sites.template_id as templateId', 'accounts.name', 'agency_access.is_allowed as isAllowed'])
    .where('template_sites.account_id', '=', siteId)
    .where('accounts.parent_id', '=', accountId)
    .executeTakeFirst();
  if (!templateSite) throw notFound('The site');
  checkSiteAccess(templateSite);
  const template = await readTemplatePage(
    db,
    accountId,
    { templateId: templateSite.templateId, pageId: sourceId },
    addresses,
  );
  const row = await db
    .selectFrom('template_pages as its')
    .innerJoin('pages', (join) =>
      join.onRef('pages.account_id', '=', 'its.account_id').onRef('pages.id', '=', 'its.page_id'),
    )
    .select(comparedColumns)
    .where('its.account_id', '=', siteId)
    .where('its.source_id', '=', sourceId)
    .executeTakeFirst();
  return { template, site: row ?? null };
}
