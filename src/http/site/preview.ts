import { hash } from 'node:crypto';
import type { Db, Trx } from '../../db/database.ts';
import { snapshot } from '../../db/snapshot.ts';
import { escapeHtml } from '../../html.ts';
import type { SomePageFields } from '../../pages/page-fields.ts';
import { parentKey, usesPositionIndex } from '../../pages/positions.ts';
import { pathFromRoot, pathOf } from '../../pages/subtree.ts';
import { bodyRenderer } from '../../sites/body-renderer.ts';
import { withDefaultPages } from '../../sites/default-menu.ts';
import type { FoundPage } from '../../sites/find-page.ts';
import { type MenuLookup, mainMenus } from '../../sites/menus.ts';
import { findHomePage, type MainMenu, type MenuPage, readMenu } from '../../sites/navigation.ts';
import type { PreviewSite, SiteDraft, SitePreview } from '../../sites/preview.ts';
import { holderFinder } from '../../tenancy/holder.ts';
import { accentStyle } from './colour.ts';
import type { SiteSettings } from './contents.ts';
import { renderDocument } from './document.ts';
import { previewPolicy } from './headers.ts';
import { emptyView, pageView } from './page-view.ts';
import { type PageRead, readPage } from './read-page.ts';
import { themeDefinitions } from './themes/index.ts';
import type { PageView } from './view.ts';

/** Returns a function that renders previews in the same steps as real pages. */
export function sitePreviewer(db: Db, settings: SiteSettings): PreviewSite {
  const menuOf = mainMenus();
  return async (accountId, draft) => {
    const shownTo = { ...settings, publicUrl: draft.appUrl ?? settings.publicUrl };
    const read = await snapshot(db, (trx) => readDraft(trx, accountId, draft, menuOf));
    if (!read) return undefined;
    if (read.kind !== 'page') return documentOf(emptyView('placeholder', read, settings), shownTo);
    const { body, bodyFormat: format } = read.page;
    const rendered = await bodyRenderer.render(accountId, { body, format }, holderFinder(db, accountId));
    const view = pageView(read, { ...rendered, html: withMark(rendered.html, draft.at) }, settings);
    return documentOf(view, shownTo);
  };
}

/** Returns the page as it would be if the draft were published. */
async function readDraft(
  trx: Trx,
  accountId: number,
  { page, theme, accent, secondButton }: SiteDraft,
  menuOf: MenuLookup,
): Promise<PageRead | undefined> {
  const wanted = page ?? (await findFirstPage(trx, accountId));
  const pathNodes = wanted ? await pathFromRoot(trx, accountId, wanted.id) : [];
  if (wanted && pathNodes.length === 0) return undefined;
  const look = {
    ...(theme && { theme }),
    ...(accent && { accent }),
    ...(secondButton !== undefined && { secondButtonPageId: secondButton }),
  };
  const menuOfLook: MenuLookup = async (trx, site) => withDefaultPages(trx, accountId, await menuOf(trx, site));
  const ask = (path: string) =>
    readPage(trx, accountId, { path, part: 1, menuOf: page ? menuOf : menuOfLook, isPreview: true, look });
  const found = await ask(pathOf(pathNodes) || '/');
  const read = found.kind === 'home-path' ? await ask('/') : found;
  if (read.kind !== 'page' || !wanted) return read;
  const isHidden = wanted.fields.isHidden ?? pathNodes.at(-1)!.isHidden;
  const changed = withFields(read.page, { ...wanted.fields, isHidden });
  const wasHidden = read.page.pathNodes.at(-1)!.isHidden === 1;
  const own = changed.pathNodes.at(-1)!;
  // A page that becomes visible is last in the menu, like a new page.
  const menu =
    wasHidden && own.isHidden === 0 ? await readMenu(trx, accountId, read.menu, changed.pathNodes) : read.menu;
  return { ...read, page: changed, menu: withPage(menu, own) };
}

/** Returns the first root page if the site has no home page. It is shown as if it were published. */
async function findFirstPage(trx: Trx, accountId: number): Promise<SiteDraft['page']> {
  if (await findHomePage(trx, accountId)) return undefined;
  const page = await trx
    .selectFrom('pages')
    .select('id')
    .where('account_id', '=', accountId)
    .where(parentKey, '=', 0)
    .where(usesPositionIndex)
    .where('position', '=', 1)
    .executeTakeFirst();
  return page && { id: page.id, fields: { isHidden: false } };
}

function withFields(page: FoundPage, fields: SomePageFields & { isHidden: boolean }): FoundPage {
  const name = fields.name?.trim() || page.name;
  const own = page.pathNodes.at(-1)!;
  const isHidden = fields.isHidden ? 1 : 0;
  return {
    ...page,
    name,
    description: fields.description === undefined ? page.description : fields.description,
    customDate: fields.customDate ?? page.customDate,
    body: fields.body ?? page.body,
    bodyFormat: fields.bodyFormat ?? page.bodyFormat,
    pathNodes: [...page.pathNodes.slice(0, -1), { ...own, name, isHidden }],
  };
}

/** Returns the menu with the page's new name, or without the page if it is hidden. */
function withPage(menu: MainMenu, { id, name, isHidden }: FoundPage['pathNodes'][number]): MainMenu {
  const change = (pages: readonly MenuPage[]): MenuPage[] =>
    pages
      .filter((page) => page.id !== id || isHidden === 0)
      .map((page) => ({ ...page, name: page.id === id ? name : page.name, children: change(page.children) }));
  return { ...menu, roots: change(menu.roots) };
}

/** The id of the element that preview frames scroll to. */
const MARK = 'preview-here';

/** Leaves room above the mark, so that the edited text is not at the very top. */
const style = `#${MARK}{scroll-margin-top:30vh}html{scroll-behavior:auto!important}`;
const styleHash = `'sha256-${hash('sha256', style, 'base64')}'`;

/** The elements in which the mark may be placed. */
const marked = new Set('p h1 h2 h3 h4 h5 h6 li td th pre blockquote dt dd figcaption'.split(' '));

/**
 * Inserts the mark at the edited place. A frame without scripts and an origin cannot be scrolled from outside, but it can
 * start at an anchor.
 */
function withMark(html: string, at = 0): string {
  let place = 0;
  for (const { 0: tag, 1: name, index } of html.matchAll(/<(\w+)\b[^<>]*>/g)) {
    if (index > html.length * at) break;
    if (index > 0 && marked.has(name!)) place = index + tag.length;
  }
  return place === 0 ? html : `${html.slice(0, place)}<span id="${MARK}"></span>${html.slice(place)}`;
}

/**
 * Returns a preview document. It loads style sheets and fonts from the service, which the user can reach, and everything
 * else from the site.
 */
function documentOf(view: PageView, settings: SiteSettings): SitePreview {
  const { origin } = new URL(settings.publicUrl);
  const { address, accent, theme } = view.site;
  const html = renderDocument(view);
  const end = html.indexOf('</head>');
  // Links open in a new window, which a sandboxed preview frame may not open.
  const base = `<base href="${escapeHtml(address + view.path)}" target="_blank"><style>${style}</style>`;
  const head = html
    .slice(0, end)
    .replaceAll('href="/-/', `href="${origin}/-/`)
    .replace('<meta charset="utf-8">', (meta) => `${meta}\n${base}`);
  return {
    // The placeholders of videos and maps link to the style sheet in their own documents.
    html: head + html.slice(end).replaceAll('href=&quot;/-/', `href=&quot;${origin}/-/`),
    policy: previewPolicy({
      settings,
      site: address,
      styles: [accentStyle(accent, themeDefinitions[theme]).hash, styleHash],
    }),
  };
}
