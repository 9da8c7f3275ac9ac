import { createRequire } from 'node:module';
import { normalForm } from '../normal-form.ts';

// Its tables take several megabytes, and most installations never need them.
const require = createRequire(import.meta.url);
const transliterate = (text: string): string =>
  (require('transliteration') as typeof import('transliteration')).transliterate(text);

/** Long enough for any name a person types, short enough that 30 levels of them still make a usable address. */
const MAX_URLNAME_CHARACTERS = 200;

/** How much of a text is looked at: names are shorter, but a client may send megabytes as an urlname. */
const MAX_READ_CHARACTERS = 10_000;

/**
 * The URL-safe form of a page's name: ASCII letters and digits in lower case, joined by hyphens; `page` when nothing
 * is left. The same name always gives the same urlname.
 */
export function toUrlname(text: string): string {
  const name = text.slice(0, MAX_READ_CHARACTERS);
  // Nearly all names are ASCII: these need no tables. The tables lack the capital sharp s.
  const ascii = isAscii(name) ? name : transliterate(normalForm(name, 'NFC').replaceAll('ẞ', 'ß'));
  const joined = ascii
    .toLowerCase()
    // "Don't" reads better as dont than as don-t.
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-');
  return trimHyphens(trimHyphens(joined).slice(0, MAX_URLNAME_CHARACTERS)) || 'page';
}

/** `urlname`, `urlname-2`, `urlname-3`, …: the form with which a sibling that came later is told apart. */
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
