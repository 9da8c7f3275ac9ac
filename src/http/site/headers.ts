import type { Config } from '../../config.ts';
import { embedHosts } from '../../sites/body/embed-address.ts';

/** The configuration that the headers depend on. */
export type HeaderSettings = Pick<Config, 'publicUrl' | 'siteMaxAge'>;

/** The sources that a page needs in its policy: its one style element, frames of other sites, and a form. */
interface PageNeeds {
  readonly styleHash: string;
  readonly hasEmbeds: boolean;
  readonly hasSearch: boolean;
  /** It is made for one visitor: no cache may keep it. */
  readonly isPrivate: boolean;
}

/**
 * Returns the headers of a response: no script runs, content loads only from allowed sources, and only the site itself
 * and the service's own app may frame it. A page is allowed only the kinds of content that it has: the policy is sent,
 * and checked by Node, with every response.
 */
export function siteHeaders(type: string, { publicUrl, siteMaxAge }: HeaderSettings, page?: PageNeeds): string[] {
  const { protocol, origin } = new URL(publicUrl);
  const policy = [
    "default-src 'none'",
    `style-src 'self'${page ? ` ${page.styleHash}` : ''}`,
    "font-src 'self'",
    // If the service itself is not secure, the images of people who try it out are not either.
    `img-src 'self' https:${protocol === 'http:' ? ' http:' : ''} data:`,
    ...(page?.hasEmbeds ? [`frame-src ${embeds.join(' ')}`] : []),
    // No page has a script that could connect; a browser's own tools do, when they look for robots.txt.
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
      : siteMaxAge === 0
        ? 'no-cache'
        : `public, s-maxage=${siteMaxAge}, max-age=0, must-revalidate`,
    'Content-Security-Policy',
    policy.join('; '),
    ...always,
  ];
}

/**
 * The policy of a preview, which the service itself answers: without an origin or scripts, and with
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

/** The origins of the frames that pages may have. */
const embeds = embedHosts.map((host) => `https://${host}`);

/**
 * The headers of every answer. No more are needed: without scripts there is nobody to use a permission or an
 * opener, and frames of others have none unless they are given some.
 */
export const always: readonly string[] = ['Referrer-Policy', 'strict-origin-when-cross-origin'];

/** The policy of what holds nothing that could be shown. */
export const NOTHING_ALLOWED: readonly string[] = [
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
];

/** Returns the headers of answers in plain text, which contain nothing that a policy has to allow. */
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
