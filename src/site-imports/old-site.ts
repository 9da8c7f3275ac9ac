import type { References } from './tidy-html.ts';

/** A page, post, file or other thing of a site of another system. */
export interface OldItem {
  id: number;
  /** `page`, `post`, `attachment`, or another that has no counterpart here. */
  type: string;
  /** `publish`, `draft`, `trash` …: only what is `publish` was seen by visitors. */
  status: string;
  /** May have HTML in it. */
  title: string;
  slug: string;
  link: string;
  /** Another address that leads to it, whatever form its links have: in WordPress, that with its id. Empty for none. */
  permanentLink: string;
  /** The id of its parent; 0 for none. */
  parentId: number;
  /** Among its siblings. */
  order: number;
  /** Milliseconds since 1970; undefined for none. */
  date: number | undefined;
  content: string;
  excerpt: string;
  /** The condition for seeing it; undefined if everybody could. */
  restriction?: 'password' | 'members_only' | undefined;
  /** Where an attachment's file is; empty for other items. */
  fileUrl: string;
}

/** A site of another system, as its export has it. */
export interface OldSite {
  readonly siteUrl: string;
  readonly items: readonly OldItem[];
  /** Returns the content of an item as HTML that the editors here know. */
  readonly htmlOf: (item: OldItem, references: References) => string;
}

/** Longer addresses lead nowhere: no browser and no server takes them. */
export const MAX_ADDRESS_CHARACTERS = 2000;

export function isFile({ type, fileUrl }: OldItem): boolean {
  return type === 'attachment' && fileUrl !== '' && fileUrl.length <= MAX_ADDRESS_CHARACTERS;
}
