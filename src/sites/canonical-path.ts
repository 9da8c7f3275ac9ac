/** The longest path: the longest urlnames on 30 levels, percent-encoded. */
const MAX_PATH_CHARACTERS = 20_000;

/** Matches paths of pages, of files such as `/sitemap-2.xml`, and of assets. */
const PATH = /^\/(?:(?:[a-z0-9-]+\/)*[a-z0-9-]+(?:\.[a-z0-9]+)*)?$/;

/**
 * Returns the canonical form of a path: lower case, without doubled or trailing slashes or needless percent-encoding.
 * Undefined for a path that nothing on a site can have.
 */
export function canonicalPath(path: string): string | undefined {
  if (path.length > MAX_PATH_CHARACTERS) return undefined;
  const plain = path
    .replace(/%([2-7][\da-f])/gi, (encoded, code) => {
      const character = String.fromCharCode(Number.parseInt(code, 16));
      return /[\w.~-]/.test(character) ? character : encoded;
    })
    .toLowerCase()
    .replace(/\/+/g, '/')
    .replace(/(?<=.)\/$/, '');
  // A redirect's Location must be a path on the site: no backslash, and no dots that lead elsewhere.
  return PATH.test(plain) ? plain : undefined;
}
