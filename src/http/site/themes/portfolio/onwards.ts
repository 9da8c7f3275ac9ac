import { type Html, html, nothing } from '../../markup.ts';
import { paging } from '../../parts/sub-pages.ts';
import type { Strings } from '../../strings.ts';
import type { Link, NavigationItem, PageView } from '../../view.ts';
import { plates } from './plates.ts';

/** The most works that the home page shows before it links to the page with all of them. */
const MAX_WORKS_ON_HOME = 8;
const MAX_WORKS_BESIDE = 5;

/** Returns links to further works: those below this page, on the home page those of the site, and on a work its siblings. */
export function onwards(view: PageView, strings: Strings): Html {
  if (view.subPages.length > 0) {
    return html`<nav class="works" aria-labelledby="sub-pages">
<h2 class="label" id="sub-pages">${strings.inThisSection}</h2>
${plates(view.subPages)}
${paging(view, strings)}
</nav>
${view.isHome && rows(others(view.navigation), strings.pagesIn(view.site.name))}`;
  }
  return view.isHome ? showcase(view, strings) : rows(beside(view.navigation), strings.inThisSection);
}

/** Shows the sub-pages of the first root page that has some as works, and lists the other root pages. */
function showcase({ site, navigation }: PageView, strings: Strings): Html {
  const roots = others(navigation);
  const work = roots.find(({ children }) => children.length > 0);
  if (!work) {
    if (roots.length === 0) return nothing;
    return html`<nav class="works" aria-label="${strings.pagesIn(site.name)}">
${plates(roots.slice(0, MAX_WORKS_ON_HOME))}
</nav>
${rows(roots.slice(MAX_WORKS_ON_HOME), strings.allOf(site.name))}`;
  }
  const hasMore = work.hasMore || work.children.length > MAX_WORKS_ON_HOME;
  return html`<section class="works" aria-labelledby="works">
<h2 id="works"><a href="${work.path}">${work.name}</a></h2>
${plates(work.children.slice(0, MAX_WORKS_ON_HOME))}
${hasMore && html`<p class="paging"><a href="${work.path}">${strings.allOf(work.name)}</a></p>`}
</section>
${rows(
  roots.filter((root) => root !== work),
  strings.pagesIn(site.name),
)}`;
}

function rows(links: readonly Link[], label: string): Html {
  if (links.length === 0) return nothing;
  return html`<nav class="rows" aria-label="${label}">
<ul>
${links.map(({ name, path }) => html`<li><a href="${path}">${name}</a></li>\n`)}</ul>
</nav>`;
}

function others(items: readonly NavigationItem[]): NavigationItem[] {
  return items.filter(({ isCurrent }) => !isCurrent);
}

/**
 * Returns the siblings of the current page, starting with the next one and wrapping around. Root pages have none here, as
 * they are in the header.
 */
function beside(roots: readonly NavigationItem[]): NavigationItem[] {
  let siblings = roots.find(({ isAncestor }) => isAncestor)?.children ?? [];
  while (siblings.some(({ isAncestor }) => isAncestor))
    siblings = siblings.find(({ isAncestor }) => isAncestor)!.children;
  const here = siblings.findIndex(({ isCurrent }) => isCurrent);
  return [...siblings.slice(here + 1), ...siblings.slice(0, Math.max(here, 0))].slice(0, MAX_WORKS_BESIDE);
}
