/**
 * More combining marks in a row than any script writes, and those of half width, which become such marks. Unicode's own stream-safe
 * text format allows 30.
 */
const TOO_MANY_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

/**
 * Returns the text in a normal form of Unicode, without the marks beyond the first 30 in a row: to sort a row of marks takes time
 * that grows with the square of its length, for 40,000 of them 3 s.
 */
export function normalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return text.replace(TOO_MANY_MARKS, '$1').normalize(form);
}
