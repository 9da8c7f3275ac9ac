import type { BodyFormat } from '../db/schema.ts';
import { fallbackToText, hasTooManyTags, isTooLarge } from './body/fallback-to-text.ts';
import { type Heading, levelHeadings, listHeadings } from './body/headings.ts';
import { assignIds } from './body/ids.ts';
import { loadImages } from './body/images.ts';
import { markdownToHtml } from './body/markdown.ts';
import { showOwnImages } from './body/own-images.ts';
import { readHtml } from './body/read-html.ts';
import { sanitizeBody } from './body/sanitize.ts';
import { textOf } from './body/text.ts';
import { tidy } from './body/tidy.ts';
import { writeHtml } from './body/write-html.ts';

export type { Heading } from './body/headings.ts';

/** A page's body as visitors get it. */
export interface RenderedBody {
  /** Safe to put into a page as it is. */
  html: string;
  /** The plain text with single spaces, for descriptions. Headings are used only if there is nothing else. */
  text: string;
  /** h1 to h3 in their order, each with the id it has in the html. */
  headings: Heading[];
  /** It begins with an h1, its only one: the page has its title. Otherwise it has none, and needs one above it. */
  hasTitle: boolean;
}

/** A page's body as it is stored. */
export interface BodySource {
  body: string;
  format: BodyFormat | '';
}

/**
 * A stored body as safe, valid HTML, whatever it holds. Never throws, and takes time in proportion to the body's length.
 * A body of more than 500,000 characters of Markdown, 2,000,000 of HTML or 50,000 tags is shown as the text it is, up to
 * 1,000,000 characters; images in the text do not count. Long bodies take seconds: `body-renderer.ts` is for callers that have
 * something else to do.
 */
export function renderBody(body: string, format: BodyFormat | ''): RenderedBody {
  const isMarkdown = format === 'markdown_format';
  if (isTooLarge(body, isMarkdown)) return renderAsText(body);
  const html = isMarkdown ? markdownToHtml(body) : body;
  if (isMarkdown && hasTooManyTags(html)) return renderAsText(body);
  return renderHtml(html);
}

/** Renders a body that is too large: the beginning of its text. */
export function renderAsText(body: string): RenderedBody {
  return { ...fallbackToText(body), headings: [], hasTitle: false };
}

function renderHtml(html: string): RenderedBody {
  const tree = readHtml(html);
  tidy(tree);
  const hasTitle = levelHeadings(tree);
  assignIds(tree);
  loadImages(tree);
  showOwnImages(tree);
  return {
    html: sanitizeBody(writeHtml(tree)),
    text: textOf(tree.children, false) || textOf(tree.children),
    headings: listHeadings(tree),
    hasTitle,
  };
}
