import type { BodyFormat, PageStatus } from '../db/schema.ts';

/** A page to insert, whose fields have been checked. */
export interface PageToInsert {
  accountId: number;
  /** null for the root. */
  parentId: number | null;
  name: string;
  urlname: string;
  isHidden: 0 | 1;
  status: PageStatus;
  body: string;
  /** The hashes of the images that the body shows, from `imagesIn`. */
  images: readonly string[];
  description: string | null;
  /** undefined for the format that the account has chosen. */
  bodyFormat: BodyFormat | undefined;
  userId: number;
  /** The network address for the audit log; null if the creation is not to be recorded by the insertion. */
  ip: string | null;
  keyId?: number | undefined;
  /** The trace of the request that creates the page, as in the header `traceparent`; null for none. */
  traceparent: string | null;
  /** The most bytes that the pages of an account may take up together. */
  quota: number;
}

/** The audit log's action for a creation. */
export const CREATED = 'page.created';
