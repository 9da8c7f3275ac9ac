/** Matches an address in an attribute, or in a link of Markdown, up to its path. */
const ADDRESS = /(=["']?|\]\(|\]: )(?:https?:)?\/\/([a-z0-9.-]{1,253})(?::\d{1,5})?(?:\/|(?=["')?#\s>]))/gi;

/**
 * Removes the site's own hosts from addresses in attributes and links of a text, so that these lead to pages and images of
 * the site that gets the copy. Text that visitors read is not changed.
 */
export function withoutOwnHosts(text: string, hosts: ReadonlySet<string>): string {
  return text.replace(ADDRESS, (address, before: string, host: string) =>
    hosts.has(host.toLowerCase()) ? `${before}/` : address,
  );
}
