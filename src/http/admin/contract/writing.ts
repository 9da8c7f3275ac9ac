import * as v from 'valibot';
import { themes } from '../../../sites/site.ts';
import { integer, oneOf, rule, text, wholeNumber } from '../schema.ts';
import { bodyFormat, type PageFieldsJson, somePageFields } from './pages.ts';

/* Writing: drafts, publishing, revisions, previews. */

/**
 * PUT /admin/pages/:id/draft → DraftJson. Replaces only the draft that the user is editing: if another device or tab of the user
 * has saved one since, the answer is 412 OutdatedPageJson with that draft in `current.draft`. DELETE …/draft?draftAt= → 204,
 * even if there is no draft; 412 likewise.
 */
export const saveDraftInput = v.object({
  fields: somePageFields,
  basedOn: integer,
  /** The `updatedAt` of the draft that this one replaces; null if there was none. */
  draftAt: v.nullable(integer),
});
export type SaveDraftInput = v.InferInput<typeof saveDraftInput>;

/** For DELETE: the `updatedAt` of the draft that the user is editing. */
export const discardDraftQuery = v.object({ draftAt: v.optional(wholeNumber, '0') });

/**
 * POST /admin/pages/:id/publish {fields?} → PageChangeJson. If-Match is required (428 without). Publishes `fields`, or else the
 * user's draft, and deletes the draft. Without a draft, an unpublished page is published as it is. 412 OutdatedPageJson keeps
 * the draft.
 */
export const publishPageInput = v.object({
  fields: v.optional(somePageFields),
  /** With `fields`: the `updatedAt` of the draft that they come from. Any other draft stays. */
  draftAt: v.optional(v.nullable(integer), null),
});
export type PublishPageInput = v.InferInput<typeof publishPageInput>;

/* POST /admin/pages/:id/unpublish → PageChangeJson. Visitors do not see the page until it is published again. */

/**
 * GET /admin/pages/:id/revisions?before=VERSION: earlier published states, 50 at a time, the latest first. `before` is the
 * `version` of the last known revision. The present state is not among them: it is the page itself.
 */
export const revisionsQuery = v.object({ before: v.optional(wholeNumber) });

export interface RevisionsJson {
  revisions: RevisionJson[];
  hasMore: boolean;
}

export interface RevisionJson {
  id: number;
  version: number;
  name: string;
  /** When the revision was published, and by whom. */
  at: number;
  by: string;
}

/** GET /admin/revisions/:id */
export interface WholeRevisionJson extends RevisionJson, PageFieldsJson {
  pageId: number;
}

/**
 * POST /admin/revisions/:id/restore → PageChangeJson, with If-Match as for PATCH. Publishes the revision's text, format,
 * description and name again (the name unless another page has it). Address, date and visibility stay.
 */

/** POST /admin/site-preview: the home page with another theme or colour, as a document. */
export const previewLookInput = v.object({
  theme: v.optional(oneOf(themes)),
  accent: v.optional(
    v.pipe(
      text,
      rule('not_a_colour', (value) => /^#[0-9a-f]{6}$/i.test(value)),
      v.toLowerCase(),
    ),
  ),
  secondButton: v.optional(v.nullable(integer)),
});
export type PreviewLookInput = v.InferInput<typeof previewLookInput>;

/** The edited position in the body, in thousandths of its length. */
const place = v.custom<number>(
  (value) => Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= 1000,
  'must be a whole number from 0 to 1000',
);

/**
 * POST /admin/pages/:id/preview: a document for a frame, with the page as visitors would see it if these fields were published.
 * Its content security policy allows neither scripts nor an origin. Since only a form can fill a frame by POST, the JSON may also
 * be sent as the form field `json`. The element `preview-here` marks the position `at`.
 */
export const previewPageInput = v.object({
  ...previewLookInput.entries,
  fields: somePageFields,
  at: v.optional(place),
});
export type PreviewPageInput = v.InferInput<typeof previewPageInput>;

/** POST /admin/preview: only a body, as the site renders it. The HTML is safe to insert into a page. */
export const previewInput = v.object({ body: v.optional(text, ''), bodyFormat: v.optional(bodyFormat, '') });
export type PreviewInput = v.InferInput<typeof previewInput>;

export interface PreviewJson {
  html: string;
}
