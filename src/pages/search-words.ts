import { fold } from '../fold.ts';

/** The length to which words are cut: nobody types more of a word. */
const MAX_WORD_CHARACTERS = 40;

/** How many different words of a text are indexed. */
const MAX_WORDS = 10_000;

/** The length of the pieces by which the middle of a word is found. */
const PIECE_CHARACTERS = 4;

/** Prefixes up to this length are indexed as words: many words share them, and reading all of these would take long. */
const BEGINNING_CHARACTERS = 3;

/** Scripts without spaces between words. */
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * The source of a word in the index: a word of the name (`w`), a piece of a word of the name or urlname (`g`), the whole
 * urlname without hyphens (`u`), or a word of the name or text (`t`).
 */
type Kind = 'w' | 'g' | 'u' | 't';

/** For each kind, the letter under which prefixes of its words are indexed. */
const beginningKinds: Readonly<Record<Kind, string>> = { w: 'x', g: 'h', u: 'v', t: 'b' };

/** A word to look for in the index; with `isPrefix`, longer words that begin with it match, too. */
export interface Term {
  word: string;
  isPrefix: boolean;
}

/** A word and its place in a text. */
interface Word {
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

/** How many words of a search are used. */
const MAX_WANTED_WORDS = 10;

/**
 * Returns the words to look for, each once. A word that is the beginning of another one is left out, since pages with the longer
 * word match it. A single letter is kept, since it has to be a whole word (see `textTerms`).
 */
export function wantedWords(text: string): string[] {
  const words = new Set([...wordsIn(text)].map(({ folded }) => cut(folded)));
  const isImplied = (word: string) =>
    word.length > 1 && [...words].some((other) => other !== word && other.startsWith(word));
  return [...words].filter((word) => !isImplied(word)).slice(0, MAX_WANTED_WORDS);
}

/** Returns the text to look for in names and paths, without NUL, which PostgreSQL accepts in no text. */
export function wantedText(text: string): string {
  return fold(text.replaceAll('\0', ' ').trim());
}

interface SearchedPage {
  name: string;
  urlname: string;
  text: string;
}

/** Returns the words of the index for a page. */
export function indexWords({ name, urlname, text }: SearchedPage): string[] {
  const words = new Set<string>();
  const add = (kind: Kind, word: string) => {
    words.add(kind + word);
    for (const beginning of beginningsOf(word)) words.add(beginningKinds[kind] + beginning);
  };
  for (const { folded } of wordsIn(name)) {
    add('w', cut(folded));
    for (const piece of textPieces(folded)) add('t', piece);
    for (const piece of pieces(folded)) add('g', piece);
  }
  for (const { folded } of wordsIn(urlname)) for (const piece of pieces(folded)) add('g', piece);
  add('u', cut(lettersOf(urlname)));
  let count = 0;
  for (const { folded } of wordsIn(text)) {
    if (count >= MAX_WORDS) break;
    for (const piece of textPieces(folded)) {
      if (words.has(`t${piece}`)) continue;
      count += 1;
      add('t', piece);
    }
  }
  return [...words];
}

/** True if an entry of the index is a whole word or piece, rather than a short prefix. */
export function isWholeWord(word: string): boolean {
  return word[0]! in beginningKinds;
}

function beginningsOf(word: string): string[] {
  const characters = [...word].slice(0, BEGINNING_CHARACTERS);
  return characters.map((_, index) => characters.slice(0, index + 1).join(''));
}

/** Returns terms for names in which each of the words begins a word. */
export function nameTerms(words: readonly string[]): Term[] {
  return words.map((word) => beginningWith('w', cut(word)));
}

/** Returns terms for names and urlnames that contain all of the words. */
export function pieceTerms(words: readonly string[]): Term[] {
  return words.flatMap((word) => inMiddle('g', word));
}

/** Returns the term for exactly this urlname. */
export function wholeUrlname(urlname: string): Term {
  return { word: `u${cut(lettersOf(urlname))}`, isPrefix: false };
}

/** Returns the term for urlnames that begin with this one. */
export function urlnameTerms(urlname: string): Term[] {
  return [beginningWith('u', cut(lettersOf(urlname)))];
}

/** Returns terms for texts with all of the words. A single letter must be a whole word: too many words begin with it. */
export function textTerms(words: readonly string[]): Term[] {
  return words.flatMap((word) =>
    SPACELESS.test(word)
      ? inMiddle('t', word)
      : [word.length > 1 ? beginningWith('t', cut(word)) : { word: `t${word}`, isPrefix: false }],
  );
}

/** Returns the term for words of the kind that begin with `word`. */
function beginningWith(kind: Kind, word: string): Term {
  const isShort = word !== '' && [...word].length <= BEGINNING_CHARACTERS;
  return isShort ? { word: beginningKinds[kind] + word, isPrefix: false } : { word: kind + word, isPrefix: true };
}

/** True if the word is long enough that few words contain it. */
export function isLong(word: string): boolean {
  return [...word].length >= PIECE_CHARACTERS;
}

function inMiddle(kind: Kind, word: string): Term[] {
  const found = pieces(word).filter(isLong);
  if (found.length === 0) return [beginningWith(kind, word)];
  return found.map((piece) => ({ word: kind + piece, isPrefix: false }));
}

const textPieces = (word: string) => (SPACELESS.test(word) ? pieces(word) : [cut(word)]);

/** Returns the pieces of the word that begin at each of its characters. */
function pieces(word: string): string[] {
  const characters = [...word].slice(0, MAX_WORDS);
  return characters.map((_, index) => characters.slice(index, index + PIECE_CHARACTERS).join(''));
}

const cut = (word: string) => word.slice(0, MAX_WORD_CHARACTERS);

/** Removes characters that are neither letters nor digits, which folding may produce, for example from `½`. */
const lettersOf = (word: string) => (/[^a-z0-9]/.test(word) ? word.replace(/[^\p{L}\p{N}]/gu, '') : word);
