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

/** The renderer closes what it opens, and neither an h1 nor a p can hold another of its kind. */
const OWN_TITLE = /^\s*(<h1\b[^>]*>[\s\S]*?<\/h1>)/;
const FIRST_PARAGRAPH = /^\s*(<p>(?!\s*<img)[\s\S]*?<\/p>)/;

/** In characters of HTML. What is longer is no introduction, but text. */
const LONGEST_LEAD = 400;

/** A page for themes that set its beginning apart, as in a hero. A body whose h1 comes later is left whole. */
export function splitBody(view: PageView): SplitBody {
  const { hasTitle, bodyHtml, excerpt } = view;
  const own = hasTitle ? (OWN_TITLE.exec(bodyHtml) ?? undefined) : undefined;
  const afterTitle = bodyHtml.slice(own?.[0].length ?? 0);
  const ownTitle = own ? trusted(own[1]!) : title(view);
  if (excerpt) return { title: ownTitle, lead: html`<p>${excerpt}</p>`, rest: trusted(afterTitle) };
  const first = own && FIRST_PARAGRAPH.exec(afterTitle);
  if (!first || first[1]!.length > LONGEST_LEAD) return { title: ownTitle, lead: nothing, rest: trusted(afterTitle) };
  return { title: ownTitle, lead: trusted(first[1]!), rest: trusted(afterTitle.slice(first[0].length)) };
}
