import { webUrl } from '../../../embeds.ts';
import { parseHtml } from '../../../parts/parse-html.ts';
import { attributesOf, frameHtml, readFrame } from '../embeds/embed-code.ts';
import { fileOfData } from '../images/data-file.ts';
import type { ShownImage } from '../images/image-markup.ts';
import { convertWordLists } from './word-lists.ts';

export interface CleanedPaste {
  readonly html: string;
  /** Images that were embedded as data, by their placeholder addresses in `html` until they are uploaded. */
  readonly files: ReadonlyMap<string, File>;
  /** Images that stay on other hosts. */
  readonly foreign: readonly ShownImage[];
  /** The number of images that were dropped, because they are local files or drawings. */
  readonly lostImages: number;
}

/** Marks HTML copied from our editor. A name of our own: other websites use the same library and its attributes. */
export const OWN_COPY = 'data-own-copy';

export function isOwnCopy(html: string): boolean {
  return html.includes(` ${OWN_COPY}=`);
}

/**
 * Cleans HTML that other programs put on the clipboard: removes its looks and keeps its structure. `site` is the address of
 * the account's website, whose images need no upload.
 */
export function cleanPasted(html: string, site: string): CleanedPaste {
  // HTML from our own editor is clean and has more information.
  if (isOwnCopy(html)) return { html, files: new Map(), foreign: [], lostImages: 0 };
  // Removes Word's own elements and conditions, which are not HTML. Each match ends at the next `<` at the latest: linear
  // time.
  const plain = html.replace(/<!--[\s\S]*?(?:-->|$)/g, '').replace(/<!\[[^<>]*>|<\/?(?:o|w|m|v|st1):[^<>]*>/g, '');
  const body = parseHtml(plain);
  for (const element of body.querySelectorAll(UNWANTED)) element.remove();
  for (const element of body.querySelectorAll<HTMLElement>('[style*="mso-spacerun"], .Apple-converted-space')) {
    element.textContent = ' ';
  }
  convertNamedBlocks(body);
  convertWordLists(body);
  nestLists(body);
  // Google Docs wraps everything into a <b> that is not bold.
  for (const wrapper of body.querySelectorAll('b[id^="docs-internal-guid"]')) unwrap(wrapper);
  for (const element of [...body.querySelectorAll<HTMLElement>('span, b, i, u, a')]) convertStyles(element);
  for (const frame of body.querySelectorAll('iframe')) cleanFrame(frame);
  for (const link of body.querySelectorAll('a')) cleanLink(link);
  const images = sortImages(body, site);
  for (const element of body.querySelectorAll('span, font, center, colgroup')) unwrap(element);
  for (const element of body.querySelectorAll('*:not(iframe)')) {
    const isSized = element.localName === 'img';
    for (const { name } of [...element.attributes]) {
      if (!KEPT_ATTRIBUTES.has(name) && !(isSized && (name === 'width' || name === 'height')))
        element.removeAttribute(name);
    }
  }
  // Removes empty lines that were typed to make room.
  if (body.querySelector(':scope > :is(p, h1, h2, h3, ul, ol, table)')) {
    for (const line of body.querySelectorAll(':scope > br')) line.remove();
  }
  for (const block of [...body.querySelectorAll('p, h1, h2, h3, h4, h5, h6')]) {
    if (block.textContent!.trim() === '' && !block.querySelector('img, iframe') && !isOnlyOneOf(block)) block.remove();
  }
  return { html: body.innerHTML, ...images };
}

const UNWANTED =
  'style, script, meta, link, title, xml, template, noscript, object, br.Apple-interchange-newline, [style*="mso-hide:all"], li[role="checkbox"] > img';
const KEPT_ATTRIBUTES = new Set(['href', 'src', 'alt', 'colspan', 'rowspan', 'start']);

/** Turns paragraphs with the class or role of a heading or quotation into such elements. */
function convertNamedBlocks(body: HTMLElement): void {
  for (const title of body.querySelectorAll('p.MsoTitle')) rename(title, 'h1');
  for (const quote of body.querySelectorAll('p.MsoQuote, p.MsoIntenseQuote')) {
    const block = body.ownerDocument.createElement('blockquote');
    quote.replaceWith(block);
    block.append(quote);
  }
  for (const heading of body.querySelectorAll('[role="heading"][aria-level]')) {
    const level = Number(heading.getAttribute('aria-level'));
    if (level >= 1 && level <= 6 && !/^h\d$/.test(heading.localName)) rename(heading, `h${level}`);
  }
}

/** Moves a list that is directly inside a list, as Google Docs writes it, into the item before it. */
function nestLists(body: HTMLElement): void {
  for (const list of [...body.querySelectorAll(':is(ul, ol) > :is(ul, ol)')]) {
    const item = list.previousElementSibling;
    if (item?.localName === 'li') item.append(list);
  }
}

/** Turns styles for bold, italics and the like into elements, and removes elements that their styles cancel. */
function convertStyles(element: HTMLElement): void {
  const { localName } = element;
  // Read as text: the app's content security policy keeps inline styles of pasted HTML from taking effect.
  const style = element.getAttribute('style') ?? '';
  if (localName === 'span') markAs(element, style);
  const isNothing =
    (localName === 'b' && /(?<![-\w])font-weight:\s*(?:normal|[1-4]00)/i.test(style)) ||
    (localName === 'i' && /(?<![-\w])font-style:\s*normal/i.test(style)) ||
    // Links are underlined anyway.
    (localName === 'u' && element.closest('a') !== null);
  if (isNothing) unwrap(element);
}

function markAs(span: HTMLElement, style: string): void {
  // Headings are bold anyway.
  const isHeading = span.closest('h1, h2, h3, h4, h5, h6') !== null;
  const isLink = span.closest('a') !== null || span.querySelector('a') !== null;
  const decoration = style.match(/text-decoration[^;]*/gi)?.join() ?? '';
  const names = [
    !isHeading && /(?<![-\w])font-weight:\s*(?:bold|[6-9]00)/i.test(style) && 'strong',
    /(?<![-\w])font-style:\s*italic/i.test(style) && 'em',
    /line-through/i.test(decoration) && 's',
    !isLink && /underline/i.test(decoration) && 'u',
    /vertical-align:\s*super/i.test(style) && 'sup',
    /vertical-align:\s*sub(?!\w)/i.test(style) && 'sub',
  ];
  for (const name of names) {
    if (!name) continue;
    const mark = span.ownerDocument.createElement(name);
    mark.append(...span.childNodes);
    span.append(mark);
  }
}

/** Rewrites a frame that the site supports as the editor would write it. Replaces any other by a link, as the site does. */
function cleanFrame(frame: HTMLIFrameElement): void {
  const embed = readFrame(frame);
  const href = webUrl(frame.getAttribute('src') ?? '')?.href;
  if (embed) frame.outerHTML = frameHtml(attributesOf(embed, embed.title));
  else if (href) {
    const link = frame.ownerDocument.createElement('a');
    link.setAttribute('href', href);
    link.textContent = frame.getAttribute('title') || href;
    frame.replaceWith(link);
  } else frame.remove();
}

/** Turns links to unsupported targets into text, and replaces Google's redirects by their targets. */
function cleanLink(link: HTMLAnchorElement): void {
  const href = link.getAttribute('href')?.trim() ?? '';
  if (!/^(?:https?:|mailto:|tel:|\/(?!\/))/i.test(href)) unwrap(link);
  else if (/^https:\/\/www\.google\.com\/url\?/.test(href)) {
    link.setAttribute('href', new URL(href).searchParams.get('q') ?? href);
  }
}

function sortImages(body: HTMLElement, site: string): Omit<CleanedPaste, 'html'> {
  const files = new Map<string, File>();
  const foreign: ShownImage[] = [];
  let lostImages = 0;
  for (const image of body.querySelectorAll('img')) {
    const src = image.getAttribute('src') ?? '';
    const file = fileOfData(src, `image-${files.size + 1}`);
    if (file) {
      const place = `pasted:${files.size}`;
      files.set(place, file);
      image.setAttribute('src', place);
      leaveFigure(image);
    } else if (src.startsWith(`${site}/media/`)) image.setAttribute('src', src.slice(site.length));
    else if (/^https?:/i.test(src)) foreign.push({ src, alt: image.getAttribute('alt') });
    else {
      image.remove();
      lostImages += 1;
    }
  }
  return { files, foreign, lostImages };
}

/** Moves an image out of its figure, because an uploaded image is inserted inline. */
function leaveFigure(image: Element): void {
  const figure = image.closest('figure');
  if (!figure) return;
  for (const caption of figure.querySelectorAll('figcaption')) rename(caption, 'p');
  unwrap(figure);
}

function isOnlyOneOf(block: Element): boolean {
  const { parentElement, previousElementSibling, nextElementSibling } = block;
  return parentElement!.matches('li, td, th, blockquote') && !previousElementSibling && !nextElementSibling;
}

function rename(element: Element, name: string): void {
  const other = element.ownerDocument.createElement(name);
  other.append(...element.childNodes);
  element.replaceWith(other);
}

function unwrap(element: Element): void {
  element.replaceWith(...element.childNodes);
}
