/**
 * Returns the text on one line, without bidirectional control characters. Line breaks would end a header and forge further
 * lines, and control characters would reverse the text that follows.
 */
export function oneLine(text: string): string {
  return text
    .replace(/[\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
}
