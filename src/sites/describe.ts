/** What search results and link previews show of a description, in characters. */
const LONGEST = 160;

/**
 * A description made of a page's text: its first sentences, as many as fit; or, where not even the first does, as many
 * words of it. `text` has single spaces.
 */
export function describe(text: string): string {
  if (text.length <= LONGEST) return text;
  const start = text.slice(0, LONGEST + 1);
  const sentence = /^.*[.!?…](?=\s)|^.*[。！？]/su.exec(start)?.[0];
  if (sentence && sentence.length >= LONGEST / 3) return sentence;
  // Not in the middle of a word, where there are spaces between words, nor of a character.
  const words = start.slice(0, LONGEST - 1);
  const space = words.lastIndexOf(' ');
  const cut = space > LONGEST / 2 ? words.slice(0, space) : words.replace(/[\ud800-\udbff]$/, '');
  return `${cut.replace(/[\s,;:–-]+$/, '')}…`;
}
