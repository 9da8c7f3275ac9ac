import type { Flag, Theme, Timestamp } from '../db/schema.ts';

/** The looks of sites, each a folder of `http/site/themes/`. New accounts get the first one. */
export const themes = ['typographic', 'business', 'portfolio', 'documentation'] as const satisfies readonly Theme[];
export type { Theme };

/** The looks that show pictures in lists of pages. */
export const themesWithPictures: ReadonlySet<Theme> = new Set<Theme>(['business', 'portfolio']);

/** An account's public site, with the settings that every request on its host needs. */
export interface Site {
  accountId: number;
  name: string;
  subdomain: string;
  status: 'active' | 'suspended';
  theme: Theme;
  /** The chosen colour as `#rrggbb`. The shown colour is adjusted to be legible. */
  accent: string;
  /** The page that the second button on the home page leads to, in themes with buttons; null for no page. */
  secondButtonPageId: number | null;
  /** A BCP 47 tag, such as `en` or `pt-BR`. */
  language: string;
  /** The IANA name of the time zone in which dates are shown. */
  timeZone: string;
  contentVersion: number;
  /** When the content version was last raised. */
  changedAt: Timestamp;
  /** The account's first own verified host; null if it has none and uses its subdomain. */
  primaryHost: string | null;
  /** 1 if the host has the admin app for the account's customers instead of this site. */
  isApp?: Flag;
}
