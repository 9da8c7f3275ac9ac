import { type Addresses, siteUrl } from '../../addresses.ts';
import { cutDescription } from '../../sites/description.ts';
import type { SitePathNode } from '../../sites/find-page.ts';
import { firstSentences } from '../../sites/first-sentences.ts';
import type { MainMenu, MenuPage } from '../../sites/navigation.ts';
import type { PagePicture } from '../../sites/page-pictures.ts';
import type { RenderedBody } from '../../sites/render-body.ts';
import type { SiteSearch } from '../../sites/search-site.ts';
import type { Site } from '../../sites/site.ts';
import type { ListedSubPage } from '../../sites/sub-pages.ts';
import { ALL_PAGES, pathOfPart, SEARCH_PATH } from './page-path.ts';
import type { PageRead } from './read-page.ts';
import { stringsFor } from './strings.ts';
import type { Link, NavigationItem, PageView, SubPage } from './view.ts';

/** Converts a page from the database into the view that the templates get. */
export function pageView(read: PageRead & { kind: 'page' }, body: RenderedBody, addresses: Addresses): PageView {
  const { site, menu, page, part, subPages, hasLater, pictures, secondButton } = read;
  const { pathNodes } = page;
  const isHome = pathNodes.length === 1 && menu.roots[0]?.id === page.id;
  const ownPath = `/${pathNodes.map(({ urlname }) => urlname).join('/')}`;
  const path = isHome ? '/' : ownPath;
  const description = cutDescription(page.description).replace(/\s+/g, ' ').trim();
  return {
    ...bareView(site, menu, addresses),
    kind: 'page',
    name: page.name,
    path: pathOfPart(path, part),
    isHome,
    isHidden: pathNodes.some(({ isHidden }) => isHidden === 1),
    description: description || firstSentences(body.text),
    excerpt: description,
    bodyHtml: body.html,
    hasTitle: body.hasTitle,
    headings: body.headings,
    navigation: items(
      menu.roots,
      pathNodes.map(({ id }) => id),
      pictures,
    ),
    breadcrumbs: breadcrumbs(menu, pathNodes),
    subPages: subPages.map((child) => subPage(child, `${ownPath}/${child.urlname}`, pictures)),
    secondButton,
    ...neighbours(path, part, hasLater),
    date: page.customDate,
    updatedAt: page.updatedAt,
  };
}

/** Returns the list of root pages as if they were sub-pages of a page, so that themes need no special case. */
export function allPagesView(read: PageRead & { kind: 'all-pages' }, addresses: Addresses): PageView {
  const { site, menu, part, subPages, hasLater, pictures } = read;
  return {
    ...bareView(site, menu, addresses),
    name: stringsFor(site.language).allPages,
    path: pathOfPart(ALL_PAGES, part),
    // Search engines should show the pages, not this list.
    isHidden: true,
    subPages: subPages.map((page) => subPage(page, page.urlname === menu.home ? '/' : `/${page.urlname}`, pictures)),
    ...neighbours(ALL_PAGES, part, hasLater),
  };
}

function subPage(
  { id, name, description, customDate }: ListedSubPage,
  path: string,
  pictures: ReadonlyMap<number, PagePicture>,
): SubPage {
  return { name, path, description: cutDescription(description), date: customDate, picture: pictures.get(id) };
}

/** Returns links to the previous and the next part of a list. */
function neighbours(path: string, part: number, hasLater: boolean): Pick<PageView, 'earlier' | 'later'> {
  return {
    earlier: part > 1 ? pathOfPart(path, part - 1) : undefined,
    later: hasLater ? pathOfPart(path, part + 1) : undefined,
  };
}

/** Returns the view for a page that the owner has not written: the not-found page or the placeholder. */
export function emptyView(
  kind: 'not-found' | 'placeholder',
  { site, menu }: { site: Site; menu: MainMenu },
  addresses: Addresses,
): PageView {
  return {
    ...bareView(site, menu, addresses),
    kind,
    isHome: kind === 'placeholder',
    path: kind === 'placeholder' ? '/' : '',
    isHidden: kind === 'not-found',
  };
}

/** Returns the view for the results of a search. */
export function searchView(
  { site, menu, hits, hasMore }: { site: Site; menu: MainMenu } & SiteSearch,
  text: string,
  addresses: Addresses,
): PageView {
  const results = hits.map(({ name, path, excerpt, description }): SubPage => {
    const shown = excerpt || cutDescription(description);
    return { name, path: path === `/${menu.home}` ? '/' : path, description: shown, date: 0 };
  });
  return {
    ...bareView(site, menu, addresses),
    kind: 'search',
    path: SEARCH_PATH,
    search: { text, results, hasMore },
  };
}

function bareView(site: Site, menu: MainMenu, addresses: Addresses): PageView {
  const { name, language, timeZone, theme, accent, changedAt } = site;
  return {
    site: { name, address: siteUrl(site, addresses), language, timeZone, theme, accent },
    kind: 'page',
    search: undefined,
    name: '',
    path: '',
    isHome: false,
    isHidden: false,
    description: '',
    excerpt: '',
    bodyHtml: '',
    hasTitle: false,
    headings: [],
    navigation: items(menu.roots, []),
    navigationHasMore: menu.hasMore,
    breadcrumbs: [],
    subPages: [],
    secondButton: undefined,
    earlier: undefined,
    later: undefined,
    date: changedAt,
    updatedAt: changedAt,
  };
}

/** Converts pages of the menu. `pathIds` has the ids from this level down to the current page. */
function items(
  pages: readonly MenuPage[],
  pathIds: readonly number[],
  pictures?: ReadonlyMap<number, PagePicture>,
): NavigationItem[] {
  return pages.map(({ id, name, path, children, hasMore }) => {
    const isOnPath = id === pathIds[0];
    return {
      name,
      path,
      isCurrent: isOnPath && pathIds.length === 1,
      isAncestor: isOnPath && pathIds.length > 1,
      children: items(children, isOnPath ? pathIds.slice(1) : [], pictures),
      hasMore,
      picture: pictures?.get(id),
    };
  });
}

/**
 * Returns the breadcrumbs from the home page down to the page's parent, without hidden pages. Root pages have none, as they
 * are in the menu.
 */
function breadcrumbs({ roots: [home] }: MainMenu, pathNodes: readonly SitePathNode[]): Link[] {
  if (pathNodes.length === 1) return [];
  const links: Link[] = home && home.id !== pathNodes[0]!.id ? [{ name: home.name, path: '/' }] : [];
  let path = '';
  for (const { id, name, urlname, isHidden } of pathNodes.slice(0, -1)) {
    path = `${path}/${urlname}`;
    if (isHidden === 0) links.push({ name, path: id === home?.id ? '/' : path });
  }
  return links;
}
