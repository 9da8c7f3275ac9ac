import { readdirSync, readFileSync } from 'node:fs';
import { closestLanguage } from '../../closest-language.ts';

/** The words of the templates. All other text on a site is the owner's. */
export interface Strings {
  skip: string;
  menu: string;
  close: string;
  mainNavigation: string;
  breadcrumbs: string;
  /** The label of the button that opens the sub-pages of a menu item. */
  pagesIn: (name: string) => string;
  /** The link to a page that lists all of its sub-pages, if the menu does not. */
  allOf: (name: string) => string;
  /** The link to the list of all root pages, if the menu does not have them all, and the title of that list. */
  allPages: string;
  inThisSection: string;
  onThisPage: string;
  earlier: string;
  later: string;
  /** The label of the link to the next page. */
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
  /** A sentence that names the company that learns of the visitor when the video or map is opened. */
  connectsTo: (name: string) => string;
}

/**
 * The folder with one file for each language. Texts that contain a name or a text have the placeholder `{name}` or `{text}`.
 */
const folder = new URL('./words/', import.meta.url);
const languages = new Set(readdirSync(folder).map((file) => file.replace('.json', '')));

const catalogue = new Map<string, Strings>();

/** Returns the words for a language tag, or those of the closest language (`pt` for `pt-BR`), or English. */
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
