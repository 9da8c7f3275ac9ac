import type { Config } from '../../config.ts';
import { embedHosts } from '../../sites/body/embed-address.ts';

/** What of the configuration the headers depend on. */
export type HeaderSettings = Pick<Config, 'publicUrl' | 'siteMaxAge'>;

/** What the policy of a page allows beside what every page may have: its one style element, and the frames of others. */
export interface PageNeeds {
  readonly styleHash: string;
  readonly hasEmbeds: boolean;
}

/**
 * What every answer of a site says beside its content: no script runs, nothing comes from anywhere but where it may,
 * and nobody but the site itself and the service's own app shows it in a frame. A page is allowed only the kinds of
 * things that it has: the policy goes out, and is checked by Node, with every answer.
 */
export function siteHeaders(type: string, { publicUrl, siteMaxAge }: HeaderSettings, page?: PageNeeds): string[] {
  const { protocol, origin } = new URL(publicUrl);
  const policy = [
    "default-src 'none'",
    `style-src 'self'${page ? ` ${page.styleHash}` : ''}`,
    "font-src 'self'",
    // Where the service itself is not secure, neither are the images of those who try it out.
    `img-src 'self' https:${protocol === 'http:' ? ' http:' : ''} data:`,
    ...(page?.hasEmbeds ? [`frame-src ${embeds.join(' ')}`] : []),
    // No page has a script that could connect; a browser's own tools do, when they look for robots.txt.
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors 'self' ${origin}`,
  ];
  return [
    'Content-Type',
    type,
    'Cache-Control',
    siteMaxAge === 0 ? 'no-cache' : `public, s-maxage=${siteMaxAge}, max-age=0, must-revalidate`,
    'Content-Security-Policy',
    policy.join('; '),
    ...always,
  ];
}

/**
 * The policy of a preview, which the service itself answers: without an origin or scripts whoever looks at it, and with
 * what the page would have. `site` is the address that its own images come from.
 */
export function previewPolicy({
  settings: { publicUrl },
  site,
  styles,
}: {
  settings: Pick<HeaderSettings, 'publicUrl'>;
  site: string;
  styles: readonly string[];
}): string {
  const { protocol, origin } = new URL(publicUrl);
  return [
    'sandbox',
    "default-src 'none'",
    `style-src ${[origin, ...styles].join(' ')}`,
    `font-src ${origin}`,
    `img-src ${site} https:${protocol === 'http:' ? ' http:' : ''} data:`,
    `frame-src ${embeds.join(' ')}`,
    `base-uri ${site}`,
    "form-action 'none'",
    `frame-ancestors ${origin}`,
  ].join('; ');
}

/** Whose frames pages may have. */
const embeds = embedHosts.map((host) => `https://${host}`);

/**
 * What every answer says, whatever it is. No more is needed: without scripts there is nobody to use a permission or an
 * opener, and frames of others have none unless they are given some.
 */
export const always: readonly string[] = ['Referrer-Policy', 'strict-origin-when-cross-origin'];

/** The policy of what holds nothing that could be shown. */
export const NOTHING_ALLOWED: readonly string[] = [
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
];

/** The same for answers that are a few words in plain text, and hold nothing that a policy need allow. */
export function plainHeaders(type: string): string[] {
  return [
    'Content-Type',
    type,
    'Cache-Control',
    'no-cache',
    'Content-Security-Policy',
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    ...always,
  ];
}
