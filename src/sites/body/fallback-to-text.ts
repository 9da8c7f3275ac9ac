import { escapeHtml } from '../../html.ts';
import { isBlankText } from './node.ts';

/** The longest Markdown that is rendered: some three hundred pages of a book. */
const MAX_MARKDOWN_CHARACTERS = 500_000;
/** The longest HTML that is rendered: about a thousand pages of a book. */
const MAX_HTML_CHARACTERS = 2_000_000;
const MAX_TAGS = 50_000;
/** How much of a body that is too large is shown. */
const MAX_SHOWN_CHARACTERS = 1_000_000;

/**
 * True if rendering the body would block other pages. Long images in the text itself cost little and do not
 * count.
 */
export function isTooLarge(source: string, isMarkdown: boolean): boolean {
  const maxCharacters = isMarkdown ? MAX_MARKDOWN_CHARACTERS : MAX_HTML_CHARACTERS;
  if (source.length > maxCharacters && withoutImages(source).length > maxCharacters) return true;
  return !isMarkdown && tags(source) > MAX_TAGS;
}

function withoutImages(source: string): string {
  return source.replace(/data:image\/[\w;,+/=-]+/g, '');
}

/** True if the HTML has too many tags. Needed after rendering, since Markdown can become more HTML than it is long. */
export function hasTooManyTags(html: string): boolean {
  return tags(html) > MAX_TAGS;
}

/** Returns the beginning of a body that is too large, as paragraphs of text without tags. */
export function fallbackToText(source: string): { html: string; text: string } {
  const whole = withoutImages(source);
  const bare = (whole.length > MAX_SHOWN_CHARACTERS ? `${whole.slice(0, MAX_SHOWN_CHARACTERS)}\n\n…` : whole)
    .toWellFormed()
    .replace(/<[^<>]*>/g, ' ')
    .replace(/[\0-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]/g, '');
  const paragraphs = bare.split(/\n[ \t]*\n/).filter((paragraph) => !isBlankText(paragraph));
  return {
    html: paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph.trim())}</p>`).join('\n'),
    // Descriptions need no more of the text.
    text: bare.slice(0, 100_000).replace(/\s+/g, ' ').trim(),
  };
}

function tags(html: string): number {
  let count = 0;
  for (let at = html.indexOf('<'); at >= 0 && count <= MAX_TAGS; at = html.indexOf('<', at + 1)) count++;
  return count;
}
