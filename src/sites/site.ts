import type { Flag, Theme, Timestamp } from '../db/schema.ts';

/** The looks a site can have, each a folder of `http/site/themes/`. The first is what new accounts get. */
export const themes = ['typographic', 'business', 'portfolio', 'documentation'] as const satisfies readonly Theme[];
export type { Theme };

/** The looks that show pictures of pages in lists of them. */
export const themesWithPictures: ReadonlySet<Theme> = new Set<Theme>(['business', 'portfolio']);

/** An account's public face: what every request on its host needs to know of it. */
export interface Site {
  accountId: number;
  name: string;
  subdomain: string;
  status: 'active' | 'suspended';
  theme: Theme;
  /** The chosen colour as `#rrggbb`; the colour that is shown is made legible first. */
  accent: string;
  /** The page that the second button on the home page leads to, in themes with buttons; null for none. */
  secondButtonPageId: number | null;
  /** A BCP 47 tag, such as `en` or `pt-BR`. */
  language: string;
  /** An IANA name: whose day a date is. */
  timeZone: string;
  contentVersion: number;
  /** When the content version was last raised. */
  changedAt: Timestamp;
  /** The account's first verified own host; null if it has none, and uses its subdomain. */
  primaryHost: string | null;
  /** 1 if the admin app of the account's customers is at the host, and not this site. */
  isApp?: Flag;
}
