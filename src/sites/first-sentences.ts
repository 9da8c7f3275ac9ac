const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });
const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/**
 * Returns the beginning of a text in at most `maxCharacters`: the whole sentences that fit. If these fill less than a quarter,
 * returns what fits up to the end of a word, with an ellipsis. Also finds words in languages without spaces.
 */
export function firstSentences(text: string, maxCharacters = 160): string {
  const whole = text.slice(0, maxCharacters * 4).trim();
  if (whole.length <= maxCharacters) return whole;
  let end = 0;
  for (const { index, segment } of sentences.segment(whole)) {
    if (index + segment.trimEnd().length > maxCharacters) break;
    end = index + segment.length;
  }
  return end * 4 >= maxCharacters ? whole.slice(0, end).trim() : cutAtWord(whole, maxCharacters - 1);
}

function cutAtWord(text: string, most: number): string {
  let end = 0;
  for (const { index, segment } of words.segment(text)) {
    if (index + segment.length > most) break;
    end = index + segment.length;
  }
  // A single very long word is cut anywhere, but not within a character.
  const cut = end > 0 ? text.slice(0, end) : text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
  let length = cut.length;
  while (length > 0 && /[\s,;:–—-]/.test(cut[length - 1]!)) length -= 1;
  return `${cut.slice(0, length)}…`;
}
