import * as v from 'valibot';
import { text } from '../schema.ts';

/*
 * Pages from a file: the export of a WordPress or Ghost site, a ZIP archive of Markdown and HTML files, or the list of pages of another
 * account. It is sent as application/octet-stream, and its content shows what it is.
 */

/**
 * POST /admin/page-imports → 201 PageImportJson; with `check`, 200, and nothing is created. Failures are those of all pages, by their
 * names or places. `posts` names the page below which the posts of a site come, `site_url` is the address of a Ghost site, and with
 * `images` the images of a site are copied, which may take minutes.
 */
export const pageImportQuery = v.object({
  check: v.optional(text),
  posts: v.optional(text),
  site_url: v.optional(text),
  images: v.optional(text),
});

export interface PageImportJson {
  pageCount: number;
  /** The ids of the pages of the first level; empty for a check. */
  roots: number[];
  /** Further results for the site of another system; null for other files. */
  site: {
    /** How many pages are posts of its blog, below a page of their own. */
    postCount: number;
    unpublishedCount: number;
    /** How many former addresses lead to the pages. */
    redirectCount: number;
    imagesCopied: number;
    imagesLeft: number;
    /** The first sentences about what is not as it was, in English, and how many there are. */
    notes: string[];
    noteCount: number;
  } | null;
}
