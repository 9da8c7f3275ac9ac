import type { Site } from './site.ts';

/**
 * A site's one address, without a slash at the end: its primary domain, or else its subdomain. All are served as
 * securely as the service itself, and at the port of the sites domain.
 */
export function siteAddress(
  { subdomain, primaryHost }: Pick<Site, 'subdomain' | 'primaryHost'>,
  { publicUrl, sitesDomain }: { publicUrl: string; sitesDomain: string },
): string {
  const port = /:\d+$/.exec(sitesDomain)?.[0] ?? '';
  const host = primaryHost === null ? `${subdomain}.${sitesDomain}` : `${primaryHost}${port}`;
  return `${new URL(publicUrl).protocol}//${host}`;
}
