/**
 * More combining marks in a row than any script writes, including the half-width marks that normalizing turns into them.
 * Unicode's own stream-safe text format allows 30.
 */
const TOO_MANY_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

/**
 * Returns the text in a normal form of Unicode, with at most 30 combining marks in a row. The time to sort a row of marks
 * grows with the square of its length: 40,000 of them take 3 s.
 */
export function normalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return text.replace(TOO_MANY_MARKS, '$1').normalize(form);
}
