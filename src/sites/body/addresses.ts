import { linkSchemes } from './vocabulary.ts';

/** The longest address that servers accept. Does not apply to images in the address itself. */
const MAX_ADDRESS_CHARACTERS = 8192;

/** Returns a link's cleaned address if it is relative, or has a scheme that runs no code; otherwise undefined. */
export function linkUrl(raw: string): string | undefined {
  return cleanUrl(raw, linkSchemes);
}

/**
 * Returns an image's address if it is a web address or a bitmap in the address itself. SVG is refused: it can hold scripts.
 */
export function imageUrl(raw: string): string | undefined {
  const data = /^\s*data:/i.test(raw) ? raw.replace(/\s+/g, '') : '';
  if (/^data:image\/(?:png|jpeg|gif|webp|avif);base64,[a-z0-9+/]+={0,2}$/i.test(data)) return data;
  return cleanUrl(raw, ['http', 'https']);
}

/** Returns the allowed candidates of a `srcset`, and the `sizes` that go with them. */
export function imageSources(raw: string, sizes: string | undefined): { srcset?: string; sizes?: string } {
  const sources = new Map<string, string>();
  for (const { address, descriptor } of candidates(raw)) {
    const clean = imageUrl(address);
    if (!clean || !/^\d{1,5}(?:w|(?:\.\d{1,3})?x)$/.test(descriptor)) continue;
    // All descriptors must be of one kind, each used once.
    const kind = sources.keys().next().value?.at(-1) ?? descriptor.at(-1);
    if (descriptor.endsWith(kind!) && !sources.has(descriptor)) sources.set(descriptor, clean);
  }
  if (sources.size === 0) return {};
  const srcset = [...sources].map(([descriptor, address]) => `${address} ${descriptor}`).join(', ');
  if (srcset.endsWith('x')) return { srcset };
  const length = /^(?:\([\w :.-]+\) ?)?\d{1,5}(?:\.\d{1,3})?(?:px|vw|em|rem)$/;
  const parts = (sizes ?? '').split(',', 10).map((part) => part.trim());
  return { srcset, sizes: parts.every((part) => length.test(part)) ? parts.join(', ') : '100vw' };
}

/** True if the address leads, or may lead, to another host. */
export function isExternal(address: string): boolean {
  return /^(?:https?:)?\/\//i.test(address);
}

/** Returns the text for an address without a link text: without scheme and `www.`, and shortened. */
export function urlText(address: string): string {
  const short = address.replace(/^(?:https?:)?\/\/(?:www\.)?|^(?:mailto|tel|sms):/i, '').replace(/\/$/, '');
  return short.length > 80 ? `${short.slice(0, 79)}…` : short;
}

function cleanUrl(raw: string, schemes: readonly string[]): string | undefined {
  if (raw.length > MAX_ADDRESS_CHARACTERS) return undefined;
  // Browsers ignore tabs, line breaks and surrounding blanks, so the checks apply to the address without them.
  const bare = raw
    .replace(/[\0-\x1f\x7f-\x9f]+/g, '')
    .replace(/^[\s\u200b-\u200f\u2060\ufeff]+/, '')
    .trimEnd();
  const value = bare.replace(/^[^?#]*/, (path) => path.replaceAll('\\', '/'));
  const [, before] = /^([^/?#:]*):/.exec(value) ?? [];
  if (before === undefined) return encode(value);
  const scheme = before.toLowerCase();
  if (!schemes.includes(scheme)) return undefined;
  if (!scheme.startsWith('http')) return encode(value);
  if (!URL.canParse(value)) return undefined;
  // "https:example.com" is a relative address on https pages, but not elsewhere.
  return encode(/^https?:\/\/[^/]/i.test(value) ? value : new URL(value).href);
}

/** Percent-encodes the characters that no URL may contain. Encoded characters stay as they are. */
function encode(value: string): string {
  const [, host, path, fragment] = /^((?:https?:)?\/\/[^/?#]*)?([^#]*)(?:#(.*))?$/is.exec(value)!;
  const encoded = (part: string) =>
    part.replace(/%(?![\da-f]{2})|[^\w\-.~:/?@!$&'()*+,;=%\xa0-\u{10ffff}]/giu, (character) =>
      encodeURIComponent(character),
    );
  const place = (host ?? '').replace(/[\s<>"`{}|^]/g, (character) => encodeURIComponent(character));
  return place + encoded(path!) + (fragment === undefined ? '' : `#${encoded(fragment)}`);
}

/** Returns the address without commas at its end. */
function withoutCommas(address: string): string {
  let end = address.length;
  while (address[end - 1] === ',') end -= 1;
  return address.slice(0, end);
}

function candidates(raw: string): { address: string; descriptor: string }[] {
  const found: { address: string; descriptor: string }[] = [];
  let rest = raw;
  // More candidates are of no use, and the limit bounds the cost of a long list.
  while (found.length < 30) {
    rest = rest.replace(/^[\s,]+/, '');
    if (rest === '') break;
    const space = rest.search(/\s/);
    const address = space < 0 ? rest : rest.slice(0, space);
    if (address.endsWith(',') || space < 0) {
      found.push({ address: withoutCommas(address), descriptor: '1x' });
      rest = rest.slice(address.length);
      continue;
    }
    const comma = rest.indexOf(',', space);
    const end = comma < 0 ? rest.length : comma;
    found.push({ address, descriptor: rest.slice(space, end).trim() || '1x' });
    rest = rest.slice(end);
  }
  return found;
}
