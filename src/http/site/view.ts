import type { PagePicture } from '../../sites/page-pictures.ts';
import type { Heading } from '../../sites/render-body.ts';
import type { Theme } from '../../sites/site.ts';

/*
 * The data that templates get. Every string is plain text, which templates escape, unless its name ends in Html. Paths
 * begin with a slash and need only HTML escaping.
 */

export interface Link {
  name: string;
  path: string;
}

/** A page in the navigation. Hidden pages are never in it. */
export interface NavigationItem extends Link {
  /** It is the page that is shown. */
  isCurrent: boolean;
  /** The page that is shown is somewhere below it. */
  isAncestor: boolean;
  /** Filled for root pages and for the ancestors of the page that is shown, and for that page itself. */
  children: NavigationItem[];
  /** There are more children than are listed; all are on the page itself. */
  hasMore: boolean;
  /** Only on home pages, for themes that show it there. */
  picture?: PagePicture | undefined;
}

export interface SubPage extends Link {
  /** The page's excerpt; empty if it has none. */
  description: string;
  /** Milliseconds since 1970 UTC. */
  date: number;
  picture?: PagePicture | undefined;
}

/** A visitor's search and its results. */
export interface SearchView {
  /** Empty where nothing is searched for. */
  text: string;
  /** The best pages, each with the place in its text, or its description. */
  results: SubPage[];
  /** There are more of them. */
  hasMore: boolean;
}

export interface SiteView {
  name: string;
  /** The site's own address without a slash at the end: `https://acme.example.com`. */
  address: string;
  language: string;
  /** An IANA name. */
  timeZone: string;
  theme: Theme;
  /** `#rrggbb`, as chosen. */
  accent: string;
}

export interface PageView {
  site: SiteView;
  /** `not-found`: no page has this address. `placeholder`: the site has no pages yet. `search` lists results. They have no body. */
  kind: 'page' | 'not-found' | 'placeholder' | 'search';
  /** Set for `search` alone. */
  search: SearchView | undefined;
  /** The page's name. */
  name: string;
  /** Its canonical path; `/` for the home page. */
  path: string;
  isHome: boolean;
  isHidden: boolean;
  /** One or two sentences for search results and link previews; may be empty. */
  description: string;
  /** The page's description, to be shown on the page; empty if it has none. */
  excerpt: string;
  bodyHtml: string;
  /** The body brings its own h1: the page's name is not printed above it. */
  hasTitle: boolean;
  headings: Heading[];
  /** Root pages, their children, and along the way to the page that is shown, theirs. */
  navigation: NavigationItem[];
  /** There are more root pages than are listed. */
  navigationHasMore: boolean;
  /** From the home page down to the page's parent; empty on root pages. */
  breadcrumbs: Link[];
  /** The page's visible children, at most a screenful or two of them; `later` and `earlier` lead to the others. */
  subPages: SubPage[];
  /** On the home page, where its second button leads. */
  secondButton: Link | undefined;
  earlier: string | undefined;
  later: string | undefined;
  /** Milliseconds since 1970 UTC. */
  date: number;
  updatedAt: number;
}
