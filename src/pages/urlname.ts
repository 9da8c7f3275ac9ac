import { createRequire } from 'node:module';
import { normalForm } from '../normal-form.ts';

// Loaded when first needed: its tables take several megabytes, and most installations never need them.
const require = createRequire(import.meta.url);
const transliterate = (text: string): string =>
  (require('transliteration') as typeof import('transliteration')).transliterate(text);

/** Long enough for any name that a person types, and short enough that 30 levels still make a usable address. */
const MAX_URLNAME_CHARACTERS = 200;

/** How much of a text is read: names are shorter, but a client may send megabytes as a urlname. */
const MAX_READ_CHARACTERS = 10_000;

/**
 * Returns the URL-safe form of a page's name: ASCII letters and digits in lower case, joined by hyphens; `page` if nothing
 * is left. Equal names always give equal urlnames.
 */
export function toUrlname(text: string): string {
  const name = text.slice(0, MAX_READ_CHARACTERS);
  // Nearly all names are ASCII and need no tables. The tables lack the capital sharp s.
  const ascii = isAscii(name) ? name : transliterate(normalForm(name, 'NFC').replaceAll('ẞ', 'ß'));
  const joined = ascii
    .toLowerCase()
    // "Don't" reads better as dont than as don-t.
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-');
  return trimHyphens(trimHyphens(joined).slice(0, MAX_URLNAME_CHARACTERS)) || 'page';
}

/** Returns `urlname`, `urlname-2`, `urlname-3`, …: the number distinguishes siblings with the same urlname. */
export function numbered(urlname: string, number: number): string {
  return number === 1 ? urlname : `${urlname}-${number}`;
}

function trimHyphens(text: string): string {
  return text.replace(/^-|-$/g, '');
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false;
  return true;
}
