/**
 * Returns the text on one line: line breaks would end headers and forge lines, and bidirectional control characters
 * would reverse our own words after them.
 */
export function oneLine(text: string): string {
  return text
    .replace(/[\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
}
