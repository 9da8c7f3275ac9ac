import type { SomePageFields } from '../pages/page-fields.ts';
import type { Theme } from './site.ts';

/** Unsaved contents or settings that replace the published ones in a preview. */
export interface SiteDraft {
  /** The edited page with its fields; undefined for the home page as it is. */
  readonly page: { readonly id: number; readonly fields: SomePageFields } | undefined;
  readonly theme: Theme | undefined;
  /** `#rrggbb` */
  readonly accent: string | undefined;
  /** The id of the page that the second button leads to; null for no page. */
  readonly secondButton?: number | null | undefined;
  /** The place in the body that is being edited, from 0 to 1; undefined for the beginning of the page. */
  readonly at: number | undefined;
  /** The URL of the admin app that shows the preview; undefined for PUBLIC_URL. */
  readonly appUrl?: string | undefined;
}

/** A page of a site as a complete document for a frame, and the policy without which it must not be shown. */
export interface SitePreview {
  readonly html: string;
  readonly policy: string;
}

/**
 * Renders a page as visitors would see it if the draft were published, and changes nothing. Undefined if the account has no
 * such page.
 */
export type PreviewSite = (accountId: number, draft: SiteDraft) => Promise<SitePreview | undefined>;
