import * as v from 'valibot';
import { text } from '../schema.ts';

/*
 * Imports of pages from a file: the export of a WordPress or Ghost site, a ZIP archive of Markdown and HTML files, or the list
 * of pages of another account. The file is sent as application/octet-stream; its content tells its kind.
 */

/**
 * POST /admin/page-imports → 201 PageImportJson; with `check`, 200, and nothing is created. Errors are reported for all pages,
 * by name or position. `posts` is the name of the page below which a site's posts are created, and `site_url` the URL of a
 * Ghost site. With `images`, the images of a site are copied, which may take minutes.
 */
export const pageImportQuery = v.object({
  check: v.optional(text),
  posts: v.optional(text),
  site_url: v.optional(text),
  images: v.optional(text),
});

export interface PageImportJson {
  pageCount: number;
  /** The ids of the new root pages; empty for a check. */
  roots: number[];
  /** Further results for a WordPress or Ghost site; null for other files. */
  site: {
    /** How many pages are posts of the site's blog. They are below a page of their own. */
    postCount: number;
    unpublishedCount: number;
    /** How many former addresses redirect to the pages. */
    redirectCount: number;
    imagesCopied: number;
    imagesLeft: number;
    /** The first sentences about differences from the original site, in English, and the number of all. */
    notes: string[];
    noteCount: number;
  } | null;
}
