import type { BrokenRule } from '../field-error.ts';
import { MEDIA_PATH } from '../media/media-name.ts';
import { normalAddress } from './normal-address.ts';

/** The files that every site has. */
const SITE_FILES =
  /^\/(?:feed\.xml|robots\.txt|favicon\.(?:ico|svg)|(?:pages|search)\.html|sitemap(?:-\d{1,5})?\.xml)$/;

/** Returns the address on a site, a path that may have a query, that is to lead to a page, or the rule that the text breaks. */
export function readRedirectPath(text: string): string | BrokenRule {
  const trimmed = text.trim();
  if (trimmed === '') return { code: 'blank' };
  const [path, query] = splitAddress(trimmed);
  const address = normalAddress(path, query);
  // The home page is always there.
  if (address === undefined || address === '/') return { code: 'not_a_path' };
  return isServed(splitAddress(address)[0]) ? { code: 'served_path' } : address;
}

/** Whether every site serves something of its own at a path, so that no redirect there would be followed. */
function isServed(path: string): boolean {
  return path.startsWith('/-/') || (path.startsWith(MEDIA_PATH) && path.includes('.')) || SITE_FILES.test(path);
}

function splitAddress(address: string): [path: string, query: string] {
  const at = address.indexOf('?');
  return at === -1 ? [address, ''] : [address.slice(0, at), address.slice(at + 1)];
}
