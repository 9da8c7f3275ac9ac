import type { Trx } from '../../db/database.ts';
import { findMovedPage, findOldAddress } from '../../pages/redirects.ts';
import { pathOf } from '../../pages/subtree.ts';
import { type FoundPage, findPage, findPageId } from '../../sites/find-page.ts';
import { siteOf } from '../../sites/find-site.ts';
import type { MenuLookup } from '../../sites/menus.ts';
import { type MainMenu, type MenuPage, readMenu } from '../../sites/navigation.ts';
import { findPictures, type PagePicture } from '../../sites/page-pictures.ts';
import { findSecondButton } from '../../sites/second-button.ts';
import { type Site, themesWithPictures } from '../../sites/site.ts';
import { type ListedSubPage, listSubPages } from '../../sites/sub-pages.ts';
import { ALL_PAGES } from './page-path.ts';
import type { Link } from './view.ts';

/** One part of a list of pages, with the pictures of pages. */
interface Listed {
  part: number;
  subPages: ListedSubPage[];
  hasLater: boolean;
  pictures: ReadonlyMap<number, PagePicture>;
}

/** The data for a path, read in one snapshot of one version of the site. */
export type PageRead = { site: Site; menu: MainMenu } & (
  | ({ kind: 'page'; page: FoundPage; secondButton: Link | undefined } & Listed)
  /** The list of root pages, if there are more than the menu has. */
  | ({ kind: 'all-pages' } & Listed)
  /** The home page under its own path. Its canonical path is `/`. */
  | { kind: 'home-path' }
  /** A page used to be at the path, and has moved. */
  | { kind: 'moved'; to: string }
  | { kind: 'not-found' | 'placeholder' }
);

interface ReadPageInput {
  path: string;
  part: number;
  menuOf: MenuLookup;
  /** True to read unpublished pages, too. */
  isPreview?: boolean;
  /** Overrides for the site's own design, field by field. */
  look?: Partial<Pick<Site, 'theme' | 'accent' | 'secondButtonPageId'>>;
}

/** Reads the data for a canonical path, with one part of the page's sub-pages. */
export async function readPage(
  trx: Trx,
  accountId: number,
  { path, part, menuOf, isPreview = false, look }: ReadPageInput,
): Promise<PageRead> {
  const { menu, ...read } = await readSite(trx, accountId, menuOf);
  const site = { ...read.site, ...look };
  const isHome = path === '/';
  const picturesOf = async (pages: readonly { id: number }[]) =>
    findPictures(trx, accountId, themesWithPictures.has(site.theme) ? pages.map(({ id }) => id) : []);
  if (isHome && menu.home === undefined) return { site, menu, kind: part === 1 ? 'placeholder' : 'not-found' };
  if (path === ALL_PAGES) {
    const listed = menu.hasMore && (await listSubPages(trx, accountId, 0, part));
    if (!listed) return { site, menu, kind: 'not-found' };
    return { site, menu, kind: 'all-pages', part, ...listed, pictures: await picturesOf(listed.subPages) };
  }
  // A body may have megabytes, and these responses are not cached, so the body is read only if it is shown.
  if (menu.home !== undefined && path === `/${menu.home}`) return { site, menu, kind: 'home-path' };
  const urlnames = isHome ? [menu.home!] : path.slice(1).split('/');
  if (part > 1) {
    const id = await findPageId(trx, accountId, urlnames);
    if (id !== undefined && !(await listSubPages(trx, accountId, id, part))) return { site, menu, kind: 'not-found' };
  }
  const page = await findPage(trx, accountId, urlnames, { isPreview });
  if (!page) return { site, menu, ...(await findDestination(trx, accountId, path, menu)) };
  const listed = await listSubPages(trx, accountId, page.id, part);
  if (!listed) return { site, menu, kind: 'not-found' };
  const pictures = await picturesOf(isHome && listed.subPages.length === 0 ? showcased(menu) : listed.subPages);
  const own = await readMenu(trx, accountId, menu, page.pathNodes);
  const secondButton = isHome ? await findSecondButton(trx, site) : undefined;
  return { site, menu: own, kind: 'page', page, secondButton, part, ...listed, pictures };
}

/**
 * Returns the pages that a home page without sub-pages may show: the root pages, and the pages below the first of the others
 * that has some.
 */
function showcased({ roots }: MainMenu): MenuPage[] {
  return [...roots, ...(roots.slice(1).find(({ children }) => children.length > 0)?.children ?? [])];
}

async function findDestination(
  trx: Trx,
  accountId: number,
  path: string,
  menu: MainMenu,
): Promise<{ kind: 'moved'; to: string } | { kind: 'not-found' }> {
  const pathNodes = await findMovedPage(trx, accountId, path);
  if (!pathNodes) return { kind: 'not-found' };
  return { kind: 'moved', to: pathNodes.at(-1)?.id === menu.roots[0]?.id ? '/' : pathOf(pathNodes) };
}

/** The page to which an address of another system leads, and whether the site has redirects from any such address. */
type OldAddressRead = { site: Site; hasAny: boolean } & ({ kind: 'moved'; to: string } | { kind: 'not-found' });

/** Returns where a normalized address of another system leads. No page can have such an address. */
export async function readOldAddress(
  trx: Trx,
  accountId: number,
  { address, menuOf }: { address: string; menuOf: MenuLookup },
): Promise<OldAddressRead> {
  const { site, menu } = await readSite(trx, accountId, menuOf);
  if ((await findOldAddress(trx, accountId)) === undefined) return { site, hasAny: false, kind: 'not-found' };
  return { site, hasAny: true, ...(await findDestination(trx, accountId, address, menu)) };
}

/** Returns the site with its main menu. */
export async function readSite(
  trx: Trx,
  accountId: number,
  menuOf: MenuLookup,
): Promise<{ site: Site; menu: MainMenu }> {
  const site = await siteOf(trx, accountId);
  if (!site) throw new Error(`Account ${accountId} has a site but is not there.`);
  return { site, menu: await menuOf(trx, site) };
}
