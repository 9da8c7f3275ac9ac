import type { Config } from '../../config.ts';
import { embedHosts } from '../../sites/body/embed-address.ts';

/** The configuration on which the headers depend. */
export type HeaderSettings = Pick<Config, 'publicUrl' | 'siteMaxAgeSeconds'>;

/** The contents of a page that its policy must allow: its style element, frames from other sites, and a search form. */
interface PageNeeds {
  readonly styleHash: string;
  readonly hasEmbeds: boolean;
  readonly hasSearch: boolean;
  /** True if the page is made for one visitor, so that no cache may keep it. */
  readonly isPrivate: boolean;
}

/**
 * Returns the headers of a response. No script runs, content loads only from allowed sources, and only the site itself and
 * the service's own app may frame it. A page is allowed only the kinds of content that it has: the policy is sent, and
 * checked by Node, with every response.
 */
export function siteHeaders(
  type: string,
  { publicUrl, siteMaxAgeSeconds }: HeaderSettings,
  page?: PageNeeds,
): string[] {
  const { protocol, origin } = new URL(publicUrl);
  const policy = [
    "default-src 'none'",
    `style-src 'self'${page ? ` ${page.styleHash}` : ''}`,
    "font-src 'self'",
    // If the service itself uses plain HTTP, images of users who try it out may do so, too.
    `img-src 'self' https:${protocol === 'http:' ? ' http:' : ''} data:`,
    ...(page?.hasEmbeds ? [`frame-src ${embeds.join(' ')}`] : []),
    // No page has a script that could connect, but a browser's developer tools do, to look for robots.txt.
    "connect-src 'self'",
    "base-uri 'none'",
    `form-action ${page?.hasSearch ? "'self'" : "'none'"}`,
    `frame-ancestors 'self' ${origin}`,
  ];
  return [
    'Content-Type',
    type,
    'Cache-Control',
    page?.isPrivate
      ? 'private, no-store'
      : siteMaxAgeSeconds === 0
        ? 'no-cache'
        : `public, s-maxage=${siteMaxAgeSeconds}, max-age=0, must-revalidate`,
    'Content-Security-Policy',
    policy.join('; '),
    ...commonHeaders,
  ];
}

/**
 * Returns the policy of a preview, which the service itself serves: no origin, no scripts, and otherwise what the page may
 * have. `site` is the site's URL, from which its images are loaded.
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

/** The origins of frames that pages may contain. */
const embeds = embedHosts.map((host) => `https://${host}`);

/**
 * The headers of every answer. Headers for permissions and openers are not needed: the site has no scripts, and frames of
 * other sites get no permissions.
 */
export const commonHeaders: readonly string[] = ['Referrer-Policy', 'strict-origin-when-cross-origin'];

/** The policy of responses that are not displayed as documents. */
export const NOTHING_ALLOWED: readonly string[] = [
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
];

/** Returns the headers of the service's own short answers, whose only special need is an inline style. */
export function plainHeaders(type: string): string[] {
  return [
    'Content-Type',
    type,
    'Cache-Control',
    'no-cache',
    'Content-Security-Policy',
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    ...commonHeaders,
  ];
}
