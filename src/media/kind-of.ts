import type { MediaKind } from '../db/schema.ts';
import { Refusal } from '../refusal.ts';

/** How many bytes of the beginning of a file identify its kind. */
export const HEAD_BYTES = 1024;

/**
 * Returns the kind of an image by its first bytes, whatever the file's name or the browser's type.
 * @throws Refusal `invalid` for files of other kinds.
 */
export function kindOf(head: Buffer): MediaKind {
  const text = head.toString('latin1');
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (/^GIF8[79]a/.test(text)) return 'gif';
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'webp';
  if (text.startsWith('ftyp', 4)) return kindOfBrands(head, text);
  if (isSvg(head)) {
    throw new Refusal('invalid', { reason: 'svg_image' });
  }
  throw new Refusal('invalid', { reason: 'not_a_web_image' });
}

/** Distinguishes AVIF and HEIC, which share a container, by their brands. */
function kindOfBrands(head: Buffer, text: string): MediaKind {
  const end = Math.min(head.readUInt32BE(0), head.length, 256);
  const brands: string[] = [];
  // A version follows the first brand.
  for (let at = 8; at + 4 <= end; at += at === 8 ? 8 : 4) brands.push(text.slice(at, at + 4));
  if (brands.some((brand) => brand === 'avif' || brand === 'avis')) return 'avif';
  if (brands.some((brand) => /^(?:hei[cmsx]|hev[cmsx]|mif1|msf1)$/.test(brand))) {
    throw new Refusal('invalid', { reason: 'heic_image' });
  }
  throw new Refusal('invalid', { reason: 'not_an_image' });
}

function isSvg(head: Buffer): boolean {
  const isUtf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  const text = isUtf16 ? head.toString('latin1').replaceAll('\0', '') : head.toString('utf8');
  // Compressed SVG files cannot be distinguished from other compressed files, and are refused as well.
  return /<(?:\w+:)?svg[\s>]/i.test(text) || /^\s*<!DOCTYPE svg/i.test(text);
}
