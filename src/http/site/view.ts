import type { PagePicture } from '../../sites/page-pictures.ts';
import type { Heading } from '../../sites/render-body.ts';
import type { Theme } from '../../sites/site.ts';

/*
 * The data for templates. Every string is plain text, which templates escape, unless its name ends in Html. Paths begin with
 * a slash and need only HTML escaping.
 */

export interface Link {
  name: string;
  path: string;
}

/** A page in the navigation, which never includes hidden pages. */
export interface NavigationItem extends Link {
  /** True if this is the current page. */
  isCurrent: boolean;
  /** True if the current page is somewhere below this page. */
  isAncestor: boolean;
  /** The sub-pages. Filled for root pages, for the current page and for its ancestors. */
  children: NavigationItem[];
  /** True if there are more children than are listed. The page itself lists all. */
  hasMore: boolean;
  /** The page's picture. Set only on home pages, for themes that show it there. */
  picture?: PagePicture | undefined;
}

export interface SubPage extends Link {
  /** The page's excerpt; empty if it has none. */
  description: string;
  /** The page's date, in milliseconds since 1970. */
  date: number;
  picture?: PagePicture | undefined;
}

/** A visitor's search and its results. */
export interface SearchView {
  /** The searched text; empty if there is none. */
  text: string;
  /** The best pages, each with an excerpt of its text or its description. */
  results: SubPage[];
  /** True if there are more results. */
  hasMore: boolean;
}

export interface SiteView {
  name: string;
  /** The site's URL without a trailing slash: `https://acme.example.com`. */
  address: string;
  language: string;
  /** The IANA name of the time zone. */
  timeZone: string;
  theme: Theme;
  /** The chosen accent colour, as `#rrggbb`. */
  accent: string;
}

export interface PageView {
  site: SiteView;
  /**
   * `not-found`: no page has this path. `placeholder`: the site has no pages yet. `search`: a list of results. Only `page`
   * has a body.
   */
  kind: 'page' | 'not-found' | 'placeholder' | 'search';
  /** Set only for `search`. */
  search: SearchView | undefined;
  /** The page's name. */
  name: string;
  /** The page's canonical path; `/` for the home page. */
  path: string;
  isHome: boolean;
  isHidden: boolean;
  /** One or two sentences for search results and link previews; may be empty. */
  description: string;
  /** The page's description to show on the page; empty if it has none. */
  excerpt: string;
  bodyHtml: string;
  /** True if the body has its own h1, so that the page's name is not shown above it. */
  hasTitle: boolean;
  headings: Heading[];
  /** The root pages with their children, and the branch of the current page. */
  navigation: NavigationItem[];
  /** True if there are more root pages than are listed. */
  navigationHasMore: boolean;
  /** The pages from the home page down to the page's parent; empty on root pages. */
  breadcrumbs: Link[];
  /** The page's visible children, or one part of them. `earlier` and `later` lead to the other parts. */
  subPages: SubPage[];
  /** The link of the home page's second button. */
  secondButton: Link | undefined;
  earlier: string | undefined;
  later: string | undefined;
  /** The page's date, and its last change, in milliseconds since 1970. */
  date: number;
  updatedAt: number;
}
