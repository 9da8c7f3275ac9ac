import { normalForm } from '../normal-form.ts';
import { canonicalPath } from './canonical-path.ts';

/** The longest address that is normalized, except for the canonical paths of deep pages. */
const MAX_ADDRESS_CHARACTERS = 2000;

/** Matches a run of percent-encoded bytes, a single percent sign, or the text between them. */
const PARTS = /(?:%[\da-f]{2})+|%|[^%]+/gi;

/** Matches characters that no address contains unencoded: browsers encode them, or give them another meaning. */
const IMPOSSIBLE = /[\p{Cc}\s\\#]/u;

/** Match characters that stay encoded: invisible ones, and those with another meaning. */
const ENCODED = {
  path: /[^\p{L}\p{M}\p{N}\p{P}\p{S}]|["#%/<>?[\]\\^`{|}]/gu,
  query: /[^\p{L}\p{M}\p{N}\p{P}\p{S}]|["#%&+<=>[\]\\^`{|}]/gu,
};

/** Matches characters that are encoded if they come unencoded. */
const UNSAFE = /[^\p{L}\p{M}\p{N}\p{P}\p{S}]|["<>[\]^`{|}]/gu;

/** Matches parameters that social networks, advertisements and newsletters add to addresses. */
const TRACKING =
  /^(?:utm_[a-z_]+|fbclid|gclid|gbraid|wbraid|gad_source|dclid|msclkid|ttclid|twclid|igsh|mc_cid|mc_eid)=/i;

/**
 * Returns the normal form of an address, which all of its spellings share. The path is in lower case, without doubled or
 * trailing slashes. The pairs of the query are sorted, and tracking parameters removed. Letters of all scripts are decoded
 * and in the normal form NFC. Undefined for an address that nothing can have.
 */
export function normalAddress(path: string, query = ''): string | undefined {
  const normal = normalPath(path);
  if (normal === undefined || query === '') return normal;
  if (path.length + query.length > MAX_ADDRESS_CHARACTERS) return undefined;
  const pairs = query.replaceAll('+', '%20').split('&');
  const telling = pairs.filter((pair) => pair !== '' && !TRACKING.test(pair));
  const decoded = telling.map((pair) => decode(pair, ENCODED.query));
  if (decoded.includes(undefined)) return undefined;
  return decoded.length === 0 ? normal : `${normal}?${decoded.sort().join('&')}`;
}

/** Returns the tracking parameters of a query unchanged. */
export function trackingOf(query: string): string {
  return query
    .split('&')
    .filter((pair) => TRACKING.test(pair))
    .join('&');
}

function normalPath(path: string): string | undefined {
  const canonical = canonicalPath(path);
  if (canonical !== undefined || path.length > MAX_ADDRESS_CHARACTERS || !path.startsWith('/')) return canonical;
  const plain = decode(path.toLowerCase(), ENCODED.path)
    ?.toLowerCase()
    .replace(/\/+/g, '/')
    .replace(/(?<=.)\/$/, '');
  // Browsers and proxies resolve the dots of `/..` themselves.
  return plain === undefined || plain.includes('/.') ? undefined : normalForm(plain, 'NFC');
}

/** Decodes a text, except for the characters in `encoded`; undefined for control characters and bytes that are not UTF-8. */
function decode(text: string, encoded: RegExp): string | undefined {
  if (!text.isWellFormed() || IMPOSSIBLE.test(text) || /%(?:[01][\da-f]|7f)/i.test(text)) return undefined;
  try {
    const decoded = text.replace(PARTS, (part) => {
      if (part === '%') return '%25';
      return part.startsWith('%')
        ? decodeURIComponent(part).replace(encoded, encodeURIComponent)
        : part.replace(UNSAFE, encodeURIComponent);
    });
    return normalForm(decoded, 'NFC');
  } catch {
    return undefined;
  }
}
