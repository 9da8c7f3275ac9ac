/**
 * Text that stays on its line: line breaks would end headers and forge lines of text, and the characters that turn the
 * direction of writing would turn that of our own words after it.
 */
export function oneLine(text: string): string {
  return text
    .replace(/[\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
}
