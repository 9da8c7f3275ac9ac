import { DomUtils } from 'htmlparser2';
import { parseHtml } from './parse-html.ts';

/** Returns the text of a piece of HTML on one line; empty if `parseHtml` refuses the HTML. */
export function plainText(html: string): string {
  return DomUtils.textContent(parseHtml(html) ?? [])
    .replace(/\s+/g, ' ')
    .trim();
}
