/** The settings on which the addresses of accounts depend. */
export interface Addresses {
  /** The public URL of the service, without a trailing slash. */
  publicUrl: string;
  /** `host[:port]` below which every account has its subdomain. */
  sitesDomain: string;
}

/**
 * Returns the address of an account's site, without a trailing slash: at its primary domain, or else at its subdomain. All
 * sites use the scheme of the service itself, and the port of the sites domain.
 */
export function siteUrl(
  { subdomain, primaryHost }: { subdomain: string; primaryHost: string | null },
  { publicUrl, sitesDomain }: Addresses,
): string {
  const port = /:\d+$/.exec(sitesDomain)?.[0] ?? '';
  const host = primaryHost === null ? `${subdomain}.${sitesDomain}` : `${primaryHost}${port}`;
  return `${new URL(publicUrl).protocol}//${host}`;
}

/** Returns the address where the account's users sign in. */
export function signInUrl(subdomain: string, { publicUrl }: Pick<Addresses, 'publicUrl'>): string {
  return `${publicUrl}/sign-in?account=${encodeURIComponent(subdomain)}`;
}
