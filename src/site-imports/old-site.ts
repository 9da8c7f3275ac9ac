import type { References } from './tidy-html.ts';

/** A page, post, file or other item of another system's site. */
export interface OldItem {
  id: number;
  /** `page`, `post`, `attachment`, or another type, which has no counterpart here. */
  type: string;
  /** `publish`, `draft`, `trash` and others. Visitors saw only items with `publish`. */
  status: string;
  /** The title, which may contain HTML. */
  title: string;
  slug: string;
  link: string;
  /**
   * Another address of the item that does not depend on the form of links: in WordPress, the one with the id. Empty for
   * none.
   */
  permanentLink: string;
  /** The id of its parent; 0 for none. */
  parentId: number;
  /** The place among its siblings. */
  order: number;
  /** Milliseconds since 1970; undefined for none. */
  date: number | undefined;
  content: string;
  excerpt: string;
  /** The condition for seeing the item; undefined if everyone could. */
  restriction?: 'password' | 'members_only' | undefined;
  /** The address of an attachment's file; empty for other items. */
  fileUrl: string;
}

/** The contents of another system's site. */
export interface OldSite {
  readonly siteUrl: string;
  readonly items: readonly OldItem[];
  /** Returns the content of an item as HTML that the editors here know. */
  readonly htmlOf: (item: OldItem, references: References) => string;
}

/** The longest address that browsers and servers accept. */
export const MAX_ADDRESS_CHARACTERS = 2000;

export function isFile({ type, fileUrl }: OldItem): boolean {
  return type === 'attachment' && fileUrl !== '' && fileUrl.length <= MAX_ADDRESS_CHARACTERS;
}
