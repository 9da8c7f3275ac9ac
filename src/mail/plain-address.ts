/**
 * Whether the text is one mail address that every mail server takes in a header. Before the `@` it is ASCII: all else needs a
 * server that speaks SMTPUTF8.
 */
export function isPlainAddress(text: string): boolean {
  return /^[!#-'*+./\w=?^`{|}~-]+@[\p{L}\p{N}.-]+$/u.test(text);
}
