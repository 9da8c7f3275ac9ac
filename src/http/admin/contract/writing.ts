import * as v from 'valibot';
import { themes } from '../../../sites/site.ts';
import { integer, oneOf, rule, text, wholeNumber } from '../schema.ts';
import { bodyFormat, type PageFieldsJson, somePageFields } from './pages.ts';

/* Writing: drafts, publishing, earlier versions, previews. */

/**
 * PUT /admin/pages/:id/draft → DraftJson: replaces the draft that the user has before them, and no other: where another
 * device or tab of theirs has saved one since, the answer is 412 OutdatedPageJson, with it in `current.draft`. DELETE
 * …/draft?draftAt= → 204, also where there is none; 412 likewise.
 */
export const saveDraftInput = v.object({
  fields: somePageFields,
  basedOn: integer,
  /** The `updatedAt` of the draft that this goes on from; null where there was none. */
  draftAt: v.nullable(integer),
});
export type SaveDraftInput = v.InferInput<typeof saveDraftInput>;

/** For DELETE: the draft that the user has before them. */
export const discardDraftQuery = v.object({ draftAt: v.optional(wholeNumber, '0') });

/**
 * POST /admin/pages/:id/publish {fields?}, If-Match required (428 without). Publishes `fields`, or else the user's draft;
 * the draft is gone then. Without a draft, a page that is not published is published as it is. → PageChangeJson, or 412
 * OutdatedPageJson with the draft still there.
 */
export const publishPageInput = v.object({
  fields: v.optional(somePageFields),
  /** With `fields`: the draft that they are of, as above. Another one stays. */
  draftAt: v.optional(v.nullable(integer), null),
});
export type PublishPageInput = v.InferInput<typeof publishPageInput>;

/* POST /admin/pages/:id/unpublish: visitors do not see the page until it is published again. → PageChangeJson */

/**
 * GET /admin/pages/:id/revisions?before= : earlier published states, the latest first, 50 at a time; `before` is the
 * `version` of the last one that is known. The present state is the page itself.
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
  /** When it was published, and by whom. */
  at: number;
  by: string;
}

/** GET /admin/revisions/:id */
export interface WholeRevisionJson extends RevisionJson, PageFieldsJson {
  pageId: number;
}

/**
 * POST /admin/revisions/:id/restore, with If-Match as for PATCH: text, format, description and name of the revision are published again (the name only
 * where no other page has it); address, date and visibility stay. → PageChangeJson
 */

/** POST /admin/site-preview: the home page in another look, as a document. */
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

/** The place in the body that is being edited, in thousandths. */
const place = v.custom<number>(
  (value) => Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= 1000,
  'must be a whole number from 0 to 1000',
);

/**
 * POST /admin/pages/:id/preview: the page as visitors would see it if these fields were published, as a document of its
 * own. It is for a frame, and comes with a policy that gives it neither scripts nor an origin. Since only a form can fill a
 * frame by POST, this may also be sent as the field `json` of one. The element `preview-here` is where `at` is.
 */
export const previewPageInput = v.object({
  ...previewLookInput.entries,
  fields: somePageFields,
  at: v.optional(place),
});
export type PreviewPageInput = v.InferInput<typeof previewPageInput>;

/** POST /admin/preview: a body as the site shows it, alone. The html is safe to put into a page. */
export const previewInput = v.object({ body: v.optional(text, ''), bodyFormat: v.optional(bodyFormat, '') });
export type PreviewInput = v.InferInput<typeof previewInput>;

export interface PreviewJson {
  html: string;
}
