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

/** A page's body in the form that visitors get. */
export interface RenderedBody {
  /** The HTML, which is safe to put into a page unchanged. */
  html: string;
  /** The plain text with single spaces, for descriptions. Includes headings only if there is no other text. */
  text: string;
  /** The headings from h1 to h3 in order, each with its id in the HTML. */
  headings: Heading[];
  /**
   * True if the body begins with an h1, its only one, which is the page's title. Otherwise the page needs an h1 above it.
   */
  hasTitle: boolean;
}

/** A page's body as it is stored. */
export interface BodySource {
  body: string;
  format: BodyFormat | '';
}

/**
 * Renders any stored body as safe, valid HTML. Never throws, and takes time in proportion to the body's length.
 * A body of more than 500,000 characters of Markdown, 2,000,000 of HTML or 50,000 tags is shown as its plain text, up to
 * 1,000,000 characters; images in the text do not count. Long bodies take seconds: callers with other work to do use
 * `body-renderer.ts`.
 */
export function renderBody(body: string, format: BodyFormat | ''): RenderedBody {
  const isMarkdown = format === 'markdown_format';
  if (isTooLarge(body, isMarkdown)) return renderAsText(body);
  const html = isMarkdown ? markdownToHtml(body) : body;
  if (isMarkdown && hasTooManyTags(html)) return renderAsText(body);
  return renderHtml(html);
}

/** Renders a body that is too large as the beginning of its text. */
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
