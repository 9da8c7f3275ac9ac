import * as v from 'valibot';
import { text, wholeNumber } from '../schema.ts';

/*
 * Images. An image belongs to the account, not to a page; `src` is what pages name it by, and the address on the site.
 */

export interface MediaJson {
  id: number;
  /** `/media/HASH-WIDTHxHEIGHT.webp`: of the largest form. */
  src: string;
  /** The URL path of the smallest variant. */
  thumbnail: string;
  /** The name of the uploaded file. */
  name: string;
  /** Empty where it is only decoration, null while nobody has said. */
  alt: string | null;
  /** In pixels. */
  width: number;
  height: number;
  isMoving: boolean;
  /** The size of all variants together. */
  bytes: number;
  createdAt: number;
  createdBy: string;
}

/** GET /admin/media?before=ID: 50, the latest first */
export const mediaListQuery = v.object({ before: v.optional(wholeNumber) });

export interface MediaListJson {
  media: MediaJson[];
  hasMore: boolean;
  /** Bytes that the images take up, and may: by the plan, or by the configuration if that allows less. */
  used: number;
  quota: number;
}

/** The name of a file. */
export const mediaNameQuery = v.object({ name: v.optional(v.string(), '') });

/**
 * POST /admin/media?name=FILENAME, the file's bytes as `application/octet-stream` → 201 MediaJson, or 200 with the image
 * where the account has the same already. 422 `invalid` for what is no image to be shown, 409 `conflict` where there is no
 * room, 413, 429.
 */

/** PATCH /admin/media/:id → MediaJson */
export const changeMediaInput = v.object({ alt: v.nullable(text) });
export type ChangeMediaInput = v.InferInput<typeof changeMediaInput>;

/** GET /admin/media/:id/uses: the first pages that show it, in somebody's draft too, and how many there are, up to 200. */
export interface MediaUsesJson {
  pages: { id: number; name: string }[];
  total: number;
  /** Whether more pages than `total` show it. */
  hasMore: boolean;
}

/** DELETE /admin/media/:id: off the site at once; POST /admin/media/:id/restore → MediaJson, for 30 days. */
export interface RemovedMediaJson {
  /** The pages where it is missing now. */
  shownOn: MediaUsesJson;
}

/** GET /admin/media/file?name=HASH-WIDTHxHEIGHT.webp: the bytes, for the app's own pages; with `trash` of an image there. */
export const mediaFileQuery = v.object({ ...mediaNameQuery.entries, trash: v.optional(v.string()) });
