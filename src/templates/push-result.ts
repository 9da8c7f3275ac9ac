import type { FieldError } from '../field-error.ts';
import type { Reason } from '../refusal.ts';
import type { LeftReason } from './compare-pages.ts';

/** A page that a push has changed, with the data for undoing the change. */
export interface PushedPage {
  kind: 'updated' | 'added';
  pageId: number;
  name: string;
  /** The page's version after the push. */
  version: number;
  /** The page before the push; undefined for an added page. */
  before?: {
    /** The page's version, by which its revision is found. */
    version: number;
    /** The hash of the contents with which the page was last in sync with the template. */
    hash: string;
    fields: string[];
    /** The former status, if the push changed it. */
    status?: 'published' | 'unpublished' | 'default' | undefined;
  };
}

/** A page that a push left unchanged. */
export interface LeftPage {
  reason: LeftReason;
  sourceId: number;
  pageId: number | null;
  name: string;
}

/** The outcome on one site, in the column `result`. */
export interface PushResult {
  pages: PushedPage[];
  left: LeftPage[];
  /** Pages that the undo left, since they were changed after the push. */
  kept?: { pageId: number; name: string }[];
  /** The reason why nothing could be done. */
  failure?: { fields?: readonly FieldError[]; why?: Reason; code: string };
}

export function readResult(text: string): PushResult {
  return text === '' ? { pages: [], left: [] } : JSON.parse(text);
}
