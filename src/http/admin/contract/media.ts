import * as v from 'valibot';
import { text, wholeNumber } from '../schema.ts';

/* Images. An image belongs to the account, not to a page. */

export interface MediaJson {
  id: number;
  /** The path of the largest variant on the site, by which pages refer to the image: `/media/HASH-WIDTHxHEIGHT.webp`. */
  src: string;
  /** The URL path of the smallest variant. */
  thumbnail: string;
  /** The name of the uploaded file. */
  name: string;
  /** The alternative text: empty for a decorative image, null if nobody has written or declined one yet. */
  alt: string | null;
  /** In pixels. */
  width: number;
  height: number;
  isMoving: boolean;
  /** The total size of all variants. */
  bytes: number;
  createdAt: number;
  createdBy: string;
}

/** GET /admin/media?before=ID: 50 images, the latest first */
export const mediaListQuery = v.object({ before: v.optional(wholeNumber) });

export interface MediaListJson {
  media: MediaJson[];
  hasMore: boolean;
  /** How many bytes the images take up, and how many the plan allows, or the configuration if it allows less. */
  used: number;
  quota: number;
}

export const mediaNameQuery = v.object({ name: v.optional(v.string(), '') });

/**
 * POST /admin/media?name=FILENAME, the file's bytes as `application/octet-stream` → 201 MediaJson, or 200 with the existing
 * image if the account has the same one already. 422 `invalid` for a file that is not a supported image, 409 `conflict` if the
 * storage is full, 413, 429.
 */

/** PATCH /admin/media/:id → MediaJson */
export const changeMediaInput = v.object({ alt: v.nullable(text) });
export type ChangeMediaInput = v.InferInput<typeof changeMediaInput>;

/** GET /admin/media/:id/uses: the first pages that show the image, also in drafts, and their number, counted up to 200. */
export interface MediaUsesJson {
  pages: { id: number; name: string }[];
  total: number;
  /** True if more pages than `total` show the image. */
  hasMore: boolean;
}

/** DELETE /admin/media/:id removes the image from the site at once. POST /admin/media/:id/restore → MediaJson, for 30 days. */
export interface RemovedMediaJson {
  /** The pages that now lack the image. */
  shownOn: MediaUsesJson;
}

/** GET /admin/media/file?name=HASH-WIDTHxHEIGHT.webp: an image file for the app; with `trash`, of an image in the trash. */
export const mediaFileQuery = v.object({ ...mediaNameQuery.entries, trash: v.optional(v.string()) });
