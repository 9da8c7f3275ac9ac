/**
 * Returns true if the text is one mail address that every mail server accepts in a header. The part before the `@` must be
 * ASCII: others need a server that supports SMTPUTF8.
 */
export function isPlainAddress(text: string): boolean {
  return /^[!#-'*+./\w=?^`{|}~-]+@[\p{L}\p{N}.-]+$/u.test(text);
}
