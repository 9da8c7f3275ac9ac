import { readdirSync, readFileSync } from 'node:fs';
import { closestLanguage } from '../../closest-language.ts';

/** The templates' own words. All other text on a site is its owner's. */
export interface Strings {
  skip: string;
  menu: string;
  close: string;
  mainNavigation: string;
  breadcrumbs: string;
  /** The button that opens the pages below one of the menu. */
  pagesIn: (name: string) => string;
  /** Leads to a page that lists all of its sub-pages, where the menu does not. */
  allOf: (name: string) => string;
  /** Leads to the list of all root pages, where the menu does not have them all, and is its title. */
  allPages: string;
  inThisSection: string;
  onThisPage: string;
  earlier: string;
  later: string;
  /** The page that follows. */
  next: string;
  updated: string;
  toTop: string;
  notFoundTitle: string;
  notFoundText: string;
  notFoundHint: string;
  backHome: string;
  placeholderTitle: string;
  placeholderText: string;
  feed: string;
  search: string;
  resultsFor: (text: string) => string;
  nothingFound: (text: string) => string;
  searchHint: string;
  moreFound: string;
  playVideo: string;
  showMap: string;
  /** Names the company that learns of the visitor when the video or the map is opened. */
  connectsTo: (name: string) => string;
}

/** The files of `words`, one for each language: a string with a name or a text in it has `{name}` or `{text}` there. */
const folder = new URL('./words/', import.meta.url);
const languages = new Set(readdirSync(folder).map((file) => file.replace('.json', '')));

const catalogue = new Map<string, Strings>();

/** Returns the words for a language tag (`pt-BR` reads as `pt`); English if there are none. */
export function stringsFor(language: string): Strings {
  return catalogue.getOrInsertComputed(closestLanguage(language, languages), read);
}

function read(language: string): Strings {
  const words: Record<string, string> = JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8'));
  const filled = Object.entries(words).map(([key, text]) => {
    const [before, after] = text.split(/\{(?:name|text)\}/);
    return [key, after === undefined ? text : (value: string) => before + value + after];
  });
  return Object.fromEntries(filled);
}
