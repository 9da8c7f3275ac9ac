/**
 * Returns the path and query to go to for an address that anybody may have written, such as `then` of the sign-in page;
 * `otherwise` when it is not a plain path of `origin`.
 *
 * The address is read as browsers read it: they leave out tabs and take `\` for `/`. Comparing origins is not enough:
 * `/.//evil.example` is of our origin, but its path comes out as `//evil.example`, which names another host once it is
 * followed. So the result has to lead back to the very same address.
 */
export function ownPath(address: string | null, origin: string, otherwise: string): string {
  if (!address || !URL.canParse(address, origin)) return otherwise;
  const url = new URL(address, origin);
  const path = `${url.pathname}${url.search}`;
  if (url.origin !== origin || !/^\/(?![/\\])/.test(path)) return otherwise;
  return URL.canParse(path, origin) && new URL(path, origin).href === `${origin}${path}` ? path : otherwise;
}
