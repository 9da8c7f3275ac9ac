import type { BrokenRule } from '../field-error.ts';
import { MEDIA_PATH } from '../media/media-name.ts';
import { normalAddress } from './normal-address.ts';

/** Matches the files that every site has. */
const SITE_FILES =
  /^\/(?:feed\.xml|robots\.txt|favicon\.(?:ico|svg)|(?:pages|search)\.html|sitemap(?:-\d{1,5})?\.xml)$/;

/** Parses the path of a redirect, which may have a query. Returns its normal form, or the rule that the text breaks. */
export function readRedirectPath(text: string): string | BrokenRule {
  const trimmed = text.trim();
  if (trimmed === '') return { code: 'blank' };
  const [path, query] = splitAddress(trimmed);
  const address = normalAddress(path, query);
  // A home page always exists, so no redirect from `/` would be followed.
  if (address === undefined || address === '/') return { code: 'not_a_path' };
  return isServed(splitAddress(address)[0]) ? { code: 'served_path' } : address;
}

/** True if every site serves something of its own at the path, so that no redirect from it would be followed. */
function isServed(path: string): boolean {
  return path.startsWith('/-/') || (path.startsWith(MEDIA_PATH) && path.includes('.')) || SITE_FILES.test(path);
}

function splitAddress(address: string): [path: string, query: string] {
  const at = address.indexOf('?');
  return at === -1 ? [address, ''] : [address.slice(0, at), address.slice(at + 1)];
}
