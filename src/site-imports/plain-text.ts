import { DomUtils, parseDocument } from 'htmlparser2';

/** Returns the text of a piece of HTML on one line. */
export function plainText(html: string): string {
  return DomUtils.textContent(parseDocument(html)).replace(/\s+/g, ' ').trim();
}
