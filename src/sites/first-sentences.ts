const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });
const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/**
 * The beginning of a text in at most so many characters: the whole sentences that fit, or, where those would be less
 * than a quarter of it, what fits up to a word's end, with an ellipsis. Words are found in languages without spaces too.
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
