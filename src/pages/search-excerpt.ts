import { wordsIn } from './search-words.ts';

/** A found word with the text around it. */
export interface Excerpt {
  before: string;
  match: string;
  after: string;
}

/** How much text is shown before and after the word. */
const MAX_CHARACTERS_BEFORE = 60;
const MAX_CHARACTERS_AFTER = 100;

/** Returns the text around the first word that matches one of the wanted words; undefined if none does. */
export function excerptOf(text: string, wanted: readonly string[]): Excerpt | undefined {
  for (const { folded, index, length } of wordsIn(text)) {
    if (!wanted.some((word) => folded.startsWith(word) || (length > 1 && folded.includes(word)))) continue;
    const from = startOfWord(text, Math.max(0, index - MAX_CHARACTERS_BEFORE), index);
    const to = endOfWord(text, index + length, index + length + MAX_CHARACTERS_AFTER);
    return {
      before: (from > 0 ? '… ' : '') + text.slice(from, index),
      match: text.slice(index, index + length),
      after: text.slice(index + length, to) + (to < text.length ? ' …' : ''),
    };
  }
  return undefined;
}

function startOfWord(text: string, from: number, to: number): number {
  if (from === 0) return 0;
  const space = text.indexOf(' ', from);
  return space === -1 || space >= to ? from : space + 1;
}

function endOfWord(text: string, from: number, to: number): number {
  if (to >= text.length) return text.length;
  const space = text.lastIndexOf(' ', to);
  return space <= from ? to : space;
}
