import type { Addresses } from '../addresses.ts';
import type { Db, Trx } from '../db/database.ts';
import type { BodyFormat, Flag, Theme } from '../db/schema.ts';
import { snapshot } from '../db/snapshot.ts';
import { notFound } from '../errors.ts';
import { type ImageToCopy, listImagesToCopy } from '../media/copy-images.ts';
import { listPagesToCopy, type PageToCopy } from '../pages/list-pages-to-copy.ts';
import { imagesIn } from '../pages/page-images.ts';
import { Refusal } from '../refusal.ts';
import { mapPages } from './map-pages.ts';
import { withoutOwnHosts } from './own-addresses.ts';
import { getOfferedTemplate, getTemplate } from './templates.ts';

/** The parts of a site that another site can start with. */
export interface SiteToCopy {
  /** The account to which the site belongs. */
  siteId: number;
  /** The template as which the site is offered; undefined if the site is just copied. */
  template: { id: number; name: string } | undefined;
  theme: Theme;
  accent: string;
  language: string;
  editor: BodyFormat;
  secondButton: number | null;
  pages: PageToCopy[];
  images: ImageToCopy[];
}

/**
 * Reads a template that the account offers.
 * @throws AppError `not_found`; `conflict` if the template was retired, or is too large
 */
export function readTemplate(db: Db, accountId: number, templateId: number, addresses: Addresses): Promise<SiteToCopy> {
  return snapshot(db, async (trx) => {
    const { id, name, site_id: siteId } = await getOfferedTemplate(trx, accountId, templateId);
    return { ...(await readCopy(trx, accountId, siteId, addresses)), template: { id, name } };
  });
}

/**
 * Reads a template, even a retired one: the sites that were made from it can still get its changes.
 * @throws AppError `not_found`; `conflict` if the template is too large
 */
export function readTemplateAnyway(
  db: Db,
  accountId: number,
  templateId: number,
  addresses: Addresses,
): Promise<SiteToCopy> {
  return snapshot(db, async (trx) => {
    const { id, name, site_id: siteId } = await getTemplate(trx, accountId, templateId);
    return { ...(await readCopy(trx, accountId, siteId, addresses)), template: { id, name } };
  });
}

/**
 * Reads the site of the account itself, or of one of its customers.
 * @throws AppError `not_found`; `conflict` if the site is too large
 */
export function readSite(db: Db, accountId: number, siteId: number, addresses: Addresses): Promise<SiteToCopy> {
  return snapshot(db, (trx) => readCopy(trx, accountId, siteId, addresses));
}

async function readCopy(trx: Trx, accountId: number, siteId: number, addresses: Addresses): Promise<SiteToCopy> {
  const { subdomain, second_button_page_id: secondButton, ...look } = await getReadableSite(trx, accountId, siteId);
  const hosts = await ownHosts(trx, siteId, subdomain, addresses);
  const pages = await mapPages(await listPagesToCopy(trx, siteId), (page) => ({
    ...page,
    body: withoutOwnHosts(page.body, hosts),
  }));
  const hashes = new Set((await mapPages(pages, ({ body }) => imagesIn(body, Number.POSITIVE_INFINITY))).flat());
  const images = await listImagesToCopy(trx, siteId, [...hashes]);
  return { ...look, siteId, template: undefined, secondButton, pages, images };
}

/** The columns of a page that users compare. */
export const comparedColumns = ['name', 'description', 'body', 'body_format as bodyFormat'] as const;

/**
 * Reads one page of a template, even of a retired one, in the form that the template passes on; null if the page was deleted.
 * @throws AppError `not_found`
 */
export function readTemplatePage(
  db: Db,
  accountId: number,
  { templateId, pageId }: { templateId: number; pageId: number },
  addresses: Addresses,
) {
  return snapshot(db, async (trx) => {
    const { site_id: siteId } = await getTemplate(trx, accountId, templateId);
    const site = await getReadableSite(trx, accountId, siteId);
    const page = await trx
      .selectFrom('pages')
      .select(comparedColumns)
      .where('account_id', '=', siteId)
      .where('id', '=', pageId)
      .executeTakeFirst();
    if (!page) return null;
    return { ...page, body: withoutOwnHosts(page.body, await ownHosts(trx, siteId, site.subdomain, addresses)) };
  });
}

/** Returns the hosts at which visitors reach the site. */
async function ownHosts(trx: Trx, siteId: number, subdomain: string, addresses: Addresses): Promise<Set<string>> {
  const domains = await trx.selectFrom('domains').select('host').where('account_id', '=', siteId).execute();
  const sitesHost = addresses.sitesDomain.replace(/:\d+$/, '');
  return new Set([`${subdomain}.${sitesHost}`, ...domains.map(({ host }) => host)]);
}

/**
 * Returns the site if the account may read all of it, including unpublished pages.
 * @throws AppError `not_found`; Refusal if the customer does not allow its agency to act in its account
 */
export async function getReadableSite(trx: Trx, accountId: number, siteId: number) {
  const found = await findOwnSite(trx, accountId, siteId);
  if (!found) throw notFound('The site');
  const { name, isAllowed, ...site } = found;
  if (siteId !== accountId) checkSiteAccess({ name, isAllowed });
  return site;
}

/** Returns the name of a customer, and whether its agency may act in its account, for `checkSiteAccess`. */
export function getSiteAccess(db: Db | Trx, siteId: number): Promise<{ name: string; isAllowed: Flag | null }> {
  return db
    .selectFrom('accounts')
    .leftJoin('agency_access', 'agency_access.account_id', 'accounts.id')
    .select(['accounts.name', 'agency_access.is_allowed as isAllowed'])
    .where('accounts.id', '=', siteId)
    .executeTakeFirstOrThrow();
}

/** @throws Refusal if the customer does not allow its agency to act in its account; null means that it does */
export function checkSiteAccess({ name, isAllowed }: { name: string; isAllowed: Flag | null }): void {
  if (isAllowed === 0) throw new Refusal('conflict', { reason: 'impersonation_forbidden', params: { customer: name } });
}

/** Returns the site if it is the account's own or one of its customers', unless it is deleted. */
function findOwnSite(trx: Trx, accountId: number, siteId: number) {
  return trx
    .selectFrom('accounts')
    .leftJoin('agency_access', 'agency_access.account_id', 'accounts.id')
    .select(['name', 'subdomain', 'theme', 'accent', 'language', 'editor', 'second_button_page_id'])
    .select('agency_access.is_allowed as isAllowed')
    .where('id', '=', siteId)
    .where((e) => e.or([e('id', '=', accountId), e('parent_id', '=', accountId)]))
    .where('deleted_at', 'is', null)
    .where('deletes_at', 'is', null)
    .executeTakeFirst();
}
