import * as v from 'valibot';
import type { BodyFormat } from '../../../db/schema.ts';
import { integer, oneOf, text, wholeNumber } from '../schema.ts';
import type { FieldError, Reason } from './common.ts';

/* Templates: sites that the account's new customers can start from. */

/** GET /admin/templates */
export interface TemplatesJson {
  templates: TemplateJson[];
}

export interface TemplateJson {
  id: number;
  name: string;
  description: string;
  /** The account that owns the template's site: this account or a customer. */
  siteId: number;
  siteName: string;
  /** The URL of the template's site. */
  address: string;
  /** True if the template's site was deleted. */
  isGone: boolean;
  /** When the template was retired; null for a template that is offered. */
  retiredAt: number | null;
  /** How many sites were created from the template. */
  sites: number;
}

/** POST /admin/templates → 201 TemplatesJson */
export const offerTemplateInput = v.object({ siteId: integer, name: text, description: v.optional(text) });
export type OfferTemplateInput = v.InferInput<typeof offerTemplateInput>;

/** PATCH /admin/templates/ID → TemplatesJson. POST /admin/templates/ID/retire, …/restore → TemplatesJson */
export const changeTemplateInput = v.object({ name: v.optional(text), description: v.optional(text) });
export type ChangeTemplateInput = v.InferInput<typeof changeTemplateInput>;

/** POST /admin/templates/ID/move → TemplatesJson. Positions count from 1. */
export const moveTemplateInput = v.object({ position: integer });
export type MoveTemplateInput = v.InferInput<typeof moveTemplateInput>;

/** Why a push leaves a page as it is: see `templates/compare-pages.ts`. */
export type LeftReasonJson =
  | 'changed'
  | 'deleted'
  | 'removed'
  | 'name_taken'
  | 'address_taken'
  | 'no_parent'
  | 'too_deep'
  | 'plan_limit'
  | 'not_allowed';

/** GET /admin/templates/ID/preview?after=SITE: what a push would change on the next 50 sites. */
export const pushPreviewQuery = v.object({ after: v.optional(wholeNumber, '0') });

export interface PushPreviewJson {
  /** The version of the template, to be sent with the push. */
  version: number;
  sites: SitePreviewJson[];
  /** The `after` of the next part; null for the last part. */
  next: number | null;
}

export interface SitePreviewJson {
  siteId: number;
  name: string;
  updated: string[];
  added: string[];
  left: LeftPageJson[];
}

export interface LeftPageJson {
  reason: LeftReasonJson;
  /** The page of the template. */
  sourceId: number;
  name: string;
}

/** GET /admin/template-sites/SITE/page?source=PAGE: a page of the site's template, and the site's version of it. */
export const comparePageQuery = v.object({ source: wholeNumber });

export interface ComparedPageJson {
  template: PageVersionJson | null;
  site: PageVersionJson | null;
}

export interface PageVersionJson {
  name: string;
  description: string | null;
  body: string;
  bodyFormat: BodyFormat | '';
}

/** POST /admin/templates/ID/pushes → 201 PushJson */
export const startPushInput = v.object({ version: integer });
export type StartPushInput = v.InferInput<typeof startPushInput>;

/** GET /admin/templates/ID/pushes: the latest first. */
export interface PushesJson {
  pushes: PushJson[];
}

/** GET /admin/template-pushes/ID, POST …/stop, …/undo → PushJson */
export interface PushJson {
  id: number;
  templateId: number;
  templateName: string;
  createdAt: number;
  createdBy: string;
  state: 'running' | 'stopped' | 'done' | 'undoing' | 'undone';
  /** How many sites are in each state. */
  sites: Record<'waiting' | 'done' | 'failed' | 'stopped' | 'undo' | 'undone', number>;
  changedPages: number;
  leftPages: number;
}

/** GET /admin/template-pushes/ID/sites?after=SITE: 50 sites of a push; with `only=left`, sites that failed or have left pages. */
export const pushSitesQuery = v.object({
  after: v.optional(wholeNumber, '0'),
  only: v.optional(oneOf(['left'] as const)),
});

export interface PushSitesJson {
  sites: PushSiteJson[];
  next: number | null;
}

export interface PushSiteJson extends SitePreviewJson {
  state: keyof PushJson['sites'];
  /** The names of pages that the undo left as they were, because they were changed after the push. */
  kept: string[];
  /** Why the push to this site failed. */
  failure: { code: string; fields: FieldError[]; why: Reason | null } | null;
}
