import { fold } from '../fold.ts';

/** The length to which words are cut: nobody types more of a word. */
const MAX_WORD_CHARACTERS = 40;

/** How many different words of a text are indexed. */
const MAX_WORDS = 10_000;

/** The length of the n-grams by which the middle of a word is found. */
const N_GRAM_CHARACTERS = 4;

/** Prefixes up to this length are indexed as words: many words share them, and reading all of these would take long. */
const MAX_PREFIX_CHARACTERS = 3;

/** Scripts without spaces between words. */
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** The kinds of words in the index. Each word is stored with the letter of its kind in front, so the letters cannot change. */
const kinds = {
  /** A word of the name. */
  name: 'w',
  /** An n-gram of a word of the name or urlname. */
  nGram: 'g',
  /** The whole urlname without hyphens. */
  urlname: 'u',
  /** A word of the name or text. */
  text: 't',
} as const;
type Kind = (typeof kinds)[keyof typeof kinds];

/** For each kind, the letter under which prefixes of its words are indexed. */
const prefixKinds: Readonly<Record<Kind, string>> = { w: 'x', g: 'h', u: 'v', t: 'b' };

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
    for (const prefix of prefixesOf(word)) words.add(prefixKinds[kind] + prefix);
  };
  for (const { folded } of wordsIn(name)) {
    add(kinds.name, cut(folded));
    for (const entry of textEntries(folded)) add(kinds.text, entry);
    for (const nGram of nGrams(folded)) add(kinds.nGram, nGram);
  }
  for (const { folded } of wordsIn(urlname)) for (const nGram of nGrams(folded)) add(kinds.nGram, nGram);
  add(kinds.urlname, cut(lettersOf(urlname)));
  let count = 0;
  for (const { folded } of wordsIn(text)) {
    if (count >= MAX_WORDS) break;
    for (const entry of textEntries(folded)) {
      if (words.has(kinds.text + entry)) continue;
      count += 1;
      add(kinds.text, entry);
    }
  }
  return [...words];
}

/** True if an entry of the index is a whole word or n-gram, rather than a short prefix. */
export function isWholeWord(word: string): boolean {
  return word[0]! in prefixKinds;
}

function prefixesOf(word: string): string[] {
  const characters = [...word].slice(0, MAX_PREFIX_CHARACTERS);
  return characters.map((_, index) => characters.slice(0, index + 1).join(''));
}

/** Returns terms for names in which each of the words begins a word. */
export function nameTerms(words: readonly string[]): Term[] {
  return words.map((word) => prefixTerm(kinds.name, cut(word)));
}

/** Returns terms for names and urlnames that contain all of the words. */
export function nGramTerms(words: readonly string[]): Term[] {
  return words.flatMap((word) => inMiddle(kinds.nGram, word));
}

/** Returns the term for exactly this urlname. */
export function wholeUrlname(urlname: string): Term {
  return { word: kinds.urlname + cut(lettersOf(urlname)), isPrefix: false };
}

/** Returns the term for urlnames that begin with this one. */
export function urlnameTerms(urlname: string): Term[] {
  return [prefixTerm(kinds.urlname, cut(lettersOf(urlname)))];
}

/** Returns terms for texts with all of the words. A single letter must be a whole word: too many words begin with it. */
export function textTerms(words: readonly string[]): Term[] {
  return words.flatMap((word) =>
    SPACELESS.test(word)
      ? inMiddle(kinds.text, word)
      : [word.length > 1 ? prefixTerm(kinds.text, cut(word)) : { word: kinds.text + word, isPrefix: false }],
  );
}

/** Returns the term for words of the kind that begin with `word`. */
function prefixTerm(kind: Kind, word: string): Term {
  const isShort = word !== '' && [...word].length <= MAX_PREFIX_CHARACTERS;
  return isShort ? { word: prefixKinds[kind] + word, isPrefix: false } : { word: kind + word, isPrefix: true };
}

/** True if the word is long enough that few words contain it. */
export function isLong(word: string): boolean {
  return [...word].length >= N_GRAM_CHARACTERS;
}

function inMiddle(kind: Kind, word: string): Term[] {
  const found = nGrams(word).filter(isLong);
  if (found.length === 0) return [prefixTerm(kind, word)];
  return found.map((nGram) => ({ word: kind + nGram, isPrefix: false }));
}

/** Returns what the index of texts has for the word: the word itself, or n-grams in scripts without spaces. */
const textEntries = (word: string) => (SPACELESS.test(word) ? nGrams(word) : [cut(word)]);

/** Returns the n-grams of the word that begin at each of its characters. The last ones are shorter. */
function nGrams(word: string): string[] {
  const characters = [...word].slice(0, MAX_WORDS);
  return characters.map((_, index) => characters.slice(index, index + N_GRAM_CHARACTERS).join(''));
}

const cut = (word: string) => word.slice(0, MAX_WORD_CHARACTERS);

/** Removes characters that are neither letters nor digits, which folding may produce, for example from `½`. */
const lettersOf = (word: string) => (/[^a-z0-9]/.test(word) ? word.replace(/[^\p{L}\p{N}]/gu, '') : word);
