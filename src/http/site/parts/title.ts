import { titleOf } from '../../../sites/page-title.ts';
import { type Html, html, nothing, trusted } from '../markup.ts';
import type { PageView } from '../view.ts';

/** Returns the page's h1, or nothing if the body has its own. */
export function title(view: PageView): Html {
  return view.hasTitle ? nothing : html`<h1>${titleOf(view)}</h1>`;
}

export interface SplitBody {
  /** The h1: the page's name or the body's own. */
  title: Html;
  /** The lead below the title: the page's excerpt, or the paragraph after the body's own h1. May be empty. */
  lead: Html;
  /** The rest of the body. */
  rest: Html;
}

/** These match whole elements, because the renderer closes all elements, and neither h1 nor p can be nested. */
const OWN_TITLE = /^\s*(<h1\b[^>]*>[\s\S]*?<\/h1>)/;
const FIRST_PARAGRAPH = /^\s*(<p>(?!\s*<img)[\s\S]*?<\/p>)/;

/** The most characters of HTML in a first paragraph that counts as an introduction. */
const MAX_LEAD_CHARACTERS = 400;

/**
 * Splits a page for themes that set its beginning apart, for example as a hero. A body with its own title also has its own
 * introduction: the excerpt, which is then for lists and search results, would repeat it.
 */
export function splitBody(view: PageView): SplitBody {
  const { hasTitle, bodyHtml, excerpt } = view;
  if (!hasTitle) {
    return { title: title(view), lead: excerpt ? html`<p>${excerpt}</p>` : nothing, rest: trusted(bodyHtml) };
  }
  const own = OWN_TITLE.exec(bodyHtml);
  if (!own) return { title: nothing, lead: nothing, rest: trusted(bodyHtml) };
  const afterTitle = bodyHtml.slice(own[0].length);
  const first = FIRST_PARAGRAPH.exec(afterTitle);
  const isLead = first !== null && first[1]!.length <= MAX_LEAD_CHARACTERS;
  return {
    title: trusted(own[1]!),
    lead: isLead ? trusted(first[1]!) : nothing,
    rest: trusted(isLead ? afterTitle.slice(first[0].length) : afterTitle),
  };
}
