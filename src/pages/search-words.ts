/** In characters. Nobody types more of a word; what is longer is no word. */
const MAX_WORD_CHARS = 40;

/** Different words of one text, at most. */
const MAX_WORDS = 10_000;

/** How many characters a piece of a word has that may be looked for in its middle. */
const PIECE_CHARS = 4;

/** Writing without spaces between words. */
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * What a word of the index is of: a word of the name (`w`), a piece of a word of the name or of the urlname (`g`), the
 * whole urlname without its hyphens (`u`), or a word of name or text (`t`).
 */
type Kind = 'w' | 'g' | 'u' | 't';

/** A word to look for in the index; `isPrefix` where words that begin with it count too. */
export interface Term {
  word: string;
  isPrefix: boolean;
}

/** Without accents and case, as far as that can be. */
export function fold(text: string): string {
  // Most names are ASCII, and need no more.
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase();
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** A word as it stands in a text, and where. */
export interface Word {
  folded: string;
  index: number;
  length: number;
}

export function* wordsIn(text: string): Generator<Word> {
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const folded = lettersOf(fold(word));
    if (folded !== '') yield { folded, index, length: word.length };
  }
}

export interface SearchedPage {
  name: string;
  urlname: string;
  text: string;
}

/** The words by which the page is found. */
export function indexWords({ name, urlname, text }: SearchedPage): string[] {
  const words = new Set<string>();
  const add = (kind: Kind, word: string) => words.add(kind + word);
  for (const { folded } of wordsIn(name)) {
    add('w', cut(folded));
    for (const piece of textPieces(folded)) add('t', piece);
    for (const piece of pieces(folded)) add('g', piece);
  }
  for (const { folded } of wordsIn(urlname)) for (const piece of pieces(folded)) add('g', piece);
  add('u', cut(lettersOf(urlname)));
  for (const { folded } of wordsIn(text)) {
    if (words.size > MAX_WORDS) break;
    for (const piece of textPieces(folded)) add('t', piece);
  }
  return [...words];
}

/** Names with all of these: words that begin so. */
export function nameTerms(words: readonly string[]): Term[] {
  return words.map((word) => ({ word: `w${cut(word)}`, isPrefix: true }));
}

/** Names and urlnames that have all of these somewhere. */
export function pieceTerms(words: readonly string[]): Term[] {
  return words.flatMap((word) => inMiddle('g', word));
}

/** Urlnames that begin so. */
export function urlnameTerms(urlname: string): Term[] {
  return [{ word: `u${cut(lettersOf(urlname))}`, isPrefix: true }];
}

/** Texts with all of these. A letter has to be the whole word: too much begins with it. */
export function textTerms(words: readonly string[]): Term[] {
  return words.flatMap((word) =>
    SPACELESS.test(word) ? inMiddle('t', word) : [{ word: `t${cut(word)}`, isPrefix: word.length > 1 }],
  );
}

function inMiddle(kind: Kind, word: string): Term[] {
  const found = pieces(word).filter((piece) => [...piece].length === PIECE_CHARS);
  if (found.length === 0) return [{ word: kind + word, isPrefix: true }];
  return found.map((piece) => ({ word: kind + piece, isPrefix: false }));
}

const textPieces = (word: string) => (SPACELESS.test(word) ? pieces(word) : [cut(word)]);

/** What begins at each character of the word. */
function pieces(word: string): string[] {
  const characters = [...word].slice(0, MAX_WORDS);
  return characters.map((_, index) => characters.slice(index, index + PIECE_CHARS).join(''));
}

const cut = (word: string) => word.slice(0, MAX_WORD_CHARS);

/** Folding may bring signs, as with `½`. */
const lettersOf = (word: string) => (/[^a-z0-9]/.test(word) ? word.replace(/[^\p{L}\p{N}]/gu, '') : word);
