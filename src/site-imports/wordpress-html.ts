import { type References, tidyHtml } from './tidy-html.ts';
import { withoutShortcodes } from './wordpress-shortcodes.ts';

/**
 * Returns a text of WordPress as HTML that the editors here know. Texts of the older editor get the paragraphs that WordPress
 * makes from blank lines when it shows them.
 */
export function wordPressHtml(content: string, references: References): string {
  const hasLineBreaks = !content.includes('<!-- wp:');
  const text = withoutShortcodes(withoutComments(content.replace(/\r\n?/g, '\n'), references.note), references.note);
  return tidyHtml(text, references, { hasLineBreaks });
}

/**
 * Removes comments: those of the block editor, and `more` and `nextpage`, which mean nothing here. Records a note for blocks
 * without HTML, such as a list of the latest posts, since only WordPress can fill them.
 */
function withoutComments(text: string, note: References['note']): string {
  const parts: string[] = [];
  let end = 0;
  for (let start = text.indexOf('<!--'); start !== -1; start = text.indexOf('<!--', end)) {
    const close = text.indexOf('-->', start + 4);
    if (close === -1) break;
    parts.push(text.slice(end, start));
    const comment = text.slice(start + 4, close).trimStart();
    if (comment.startsWith('wp:') && comment.endsWith('/')) note('block', blockName(comment));
    end = close + 3;
  }
  return parts.join('') + text.slice(end);
}

const MAX_BLOCK_NAME_CHARACTERS = 100;

/** Returns the name of the block, such as `latest-posts` for `wp:latest-posts {"order":"asc"} /`. */
function blockName(comment: string): string {
  return comment.slice('wp:'.length, 'wp:'.length + MAX_BLOCK_NAME_CHARACTERS).split(' ')[0]!;
}
