import { type Html, html, nothing, trusted } from '../markup.ts';
import { isHomeName } from '../strings.ts';
import type { PageView } from '../view.ts';

/** The words of a page's h1: its name, or the site's on a home page that is called no more than "Home". */
export function titleOf({ site, name, isHome }: PageView): string {
  return isHome && isHomeName(name) ? site.name : name;
}

/** The page's h1; nothing where the body brings its own. */
export function title(view: PageView): Html {
  return view.hasTitle ? nothing : html`<h1>${titleOf(view)}</h1>`;
}

export interface SplitBody {
  /** The h1, the page's or the body's own. */
  title: Html;
  /** The sentence below it: the page's excerpt, or the paragraph that follows the body's own h1. May be nothing. */
  lead: Html;
  /** What remains of the body. */
  rest: Html;
}

/** A page for themes that set its beginning apart, as in a hero. A body whose h1 comes later is left whole. */
export function splitBody(view: PageView): SplitBody {
  const lead = view.excerpt ? html`<p>${view.excerpt}</p>` : nothing;
  if (!view.hasTitle) return { title: title(view), lead, rest: trusted(view.bodyHtml) };
  // The renderer closes what it opens, and neither an h1 nor a p can hold another of its kind.
  const match = /^\s*(<h1\b[^>]*>[\s\S]*?<\/h1>)\s*(<p>(?!\s*<img)[\s\S]*?<\/p>)?/.exec(view.bodyHtml);
  if (!match) return { title: nothing, lead, rest: trusted(view.bodyHtml) };
  const taken = view.excerpt || match[2] === undefined ? match[0].length - (match[2]?.length ?? 0) : match[0].length;
  return {
    title: trusted(match[1]!),
    lead: view.excerpt ? lead : trusted(match[2] ?? ''),
    rest: trusted(view.bodyHtml.slice(taken)),
  };
}
