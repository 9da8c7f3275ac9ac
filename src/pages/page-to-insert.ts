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
  /** The hashes of the images that the body shows: `imagesIn`. */
  images: readonly string[];
  description: string | null;
  /** undefined for the format that the account has chosen. */
  bodyFormat: BodyFormat | undefined;
  userId: number;
  /** The address that the audit log names; null for a page that is not recorded. */
  ip: string | null;
  keyId?: number | undefined;
  /** The request that creates it, as the header `traceparent`; null for none. */
  traceparent: string | null;
  /** Bytes that all pages of an account may take up. */
  quota: number;
}

/** The action in the audit log. */
export const CREATED = 'page.created';
