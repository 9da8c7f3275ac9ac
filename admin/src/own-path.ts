/**
 * Returns the path and query of an untrusted address, such as `then` of the sign-in page, or `otherwise` if it is not a
 * plain path of `origin`.
 *
 * Parses the address as browsers do: they remove tabs and read `\` as `/`. Comparing origins is not enough:
 * `/.//evil.example` has our origin, but its path becomes `//evil.example`, which names another host when it is followed. So
 * the result must parse to the same address again.
 */
export function ownPath(address: string | null, origin: string, otherwise: string): string {
  if (!address || !URL.canParse(address, origin)) return otherwise;
  const url = new URL(address, origin);
  const path = `${url.pathname}${url.search}`;
  if (url.origin !== origin || !/^\/(?![/\\])/.test(path)) return otherwise;
  return URL.canParse(path, origin) && new URL(path, origin).href === `${origin}${path}` ? path : otherwise;
}
