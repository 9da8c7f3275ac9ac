import type { EditorState, StateCommand } from '@codemirror/state';
import { parseHtml } from '../../../parts/parse-html.ts';
import { isImageFigure } from './image-figure.ts';
import { layoutOf, withLayout } from './image-layout.ts';
import { decorative, figureHtml, markdownImage, type NewImage, needsFigure } from './image-markup.ts';
import { decodeAddress, type WrittenImage } from './written-images.ts';

interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** An image in HTML or Markdown, with the link and the figure around it. */
export interface ImageInSource extends TextRange {
  readonly image: NewImage;
  /** Returns the text change that turns this image into the given one. */
  readonly change: (image: NewImage) => TextRange & { readonly insert: string };
}

type Source = Pick<EditorState, 'doc' | 'selection'>;

const END_OF_FIGURE = '</figure>';

/** Matches the rest of a Markdown link after the image in its label. */
const LINK_END = /^\]\(\s*(?:(<[^<>\n]*>|[^\s()<>]+)(?:[\s<>][^()\n]*)?)?\)/;

/** How far before and after an image to look for its link. */
const MAX_TAG_CHARACTERS = 2000;

/**
 * Returns the image that is selected, or that the cursor is in or directly before. Directly after an image, where the cursor
 * is after an insertion, the next image is inserted instead.
 */
export function imageInSource({ doc, selection: { main } }: Source, images: readonly WrittenImage[]) {
  const text = doc.toString();
  const contains = (outer: TextRange, inner: TextRange) => outer.from <= inner.from && inner.to <= outer.to;
  const isAt = ({ from, to }: TextRange) => from <= main.from && (main.empty ? main.to < to : main.to <= to);
  const figure = figureRange(text, main);
  // Images in code and comments are not listed, so a figure there is ignored, too.
  if (figure && isAt(figure) && images.some((image) => contains(figure, image))) return figureIn(text, figure);
  const others = images.map((image) => (text[image.from] === '<' ? inHtml(text, image) : inMarkdown(text, image)));
  return others.find(isAt);
}

/** Changes the image, and puts the cursor before it, so that it can be changed again. */
export function changeImage({ change }: ImageInSource, image: NewImage): StateCommand {
  return ({ state, dispatch }) => {
    const changes = change(image);
    const at = changes.from + Math.max(0, changes.insert.search(/<figure|!\[|<img/));
    dispatch(state.update({ changes, selection: { anchor: at }, userEvent: 'input', scrollIntoView: true }));
    return true;
  };
}

function figureRange(text: string, cursor: TextRange): TextRange | undefined {
  const from = text.lastIndexOf('<figure', cursor.from);
  const close = from === -1 ? -1 : text.indexOf(END_OF_FIGURE, from);
  const to = close + END_OF_FIGURE.length;
  return close === -1 || to < cursor.to ? undefined : { from, to };
}

/** Returns undefined for a figure with other or further content. */
function figureIn(text: string, range: TextRange): ImageInSource | undefined {
  const figure = parseHtml(text.slice(range.from, range.to)).firstElementChild!;
  if (!isImageFigure(figure)) return undefined;
  return { ...range, image: readElement(figure), change: (now) => ({ ...range, insert: changedHtml(figure, now) }) };
}

function inHtml(text: string, image: WrittenImage): ImageInSource {
  const open = /<a\s[^<>]*>\s*$/.exec(text.slice(Math.max(0, image.from - MAX_TAG_CHARACTERS), image.from));
  const close = open && /^\s*<\/a>/.exec(text.slice(image.to, image.to + MAX_TAG_CHARACTERS));
  const range =
    open && close
      ? { from: image.from - open[0].length, to: image.to + close[0].length }
      : { from: image.from, to: image.to };
  const element = parseHtml(text.slice(range.from, range.to)).firstElementChild!;
  return {
    ...range,
    image: readElement(element),
    change: (now) => {
      const insert = changedHtml(element, now);
      return needsFigure(now) ? asBlock(text, range, insert) : { ...range, insert };
    },
  };
}

function inMarkdown(text: string, { from, to, src, alt, address }: WrittenImage): ImageInSource {
  const mark = decorative.exec(text.slice(to, to + MAX_TAG_CHARACTERS))?.[0] ?? '';
  const end = to + mark.length;
  const link = text[from - 1] === '[' ? LINK_END.exec(text.slice(end, end + MAX_TAG_CHARACTERS)) : null;
  const range = link ? { from: from - 1, to: end + link[0].length } : { from, to: end };
  // The title follows the address, unless the address is in a definition elsewhere.
  const title =
    address.to < to
      ? text
          .slice(address.to, to - 1)
          .replace(/^>/, '')
          .trimEnd()
      : '';
  return {
    ...range,
    image: { src, alt, ...(link && { link: decodeAddress((link[1] ?? '').replace(/^<|>$/g, '')) }) },
    change: (now) => {
      const figure = figureHtml(now);
      if (figure !== undefined) return asBlock(text, range, figure);
      return { ...range, insert: markdownImage(now, now.src === src ? title : '') };
    },
  };
}

function readElement(element: Element): NewImage {
  const image = element instanceof HTMLImageElement ? element : element.querySelector('img')!;
  const number = (name: string) => Number(image.getAttribute(name)) || undefined;
  const [width, height] = [number('width'), number('height')];
  const link = image.closest('a')?.getAttribute('href');
  return {
    src: image.getAttribute('src') ?? '',
    alt: image.getAttribute('alt'),
    ...(width && height && { width, height }),
    ...(link && { link }),
    ...layoutOf(element.localName === 'figure' ? element.getAttribute('class') : null),
    caption: captionOf(element),
  };
}

function captionOf(element: Element): string {
  return element.querySelector('figcaption')?.textContent.trim() ?? '';
}

/** Returns the element's HTML with the image's new properties. Keeps everything else in it. */
function changedHtml(before: Element, image: NewImage): string {
  const { size = 'normal', side, caption = '', link = '' } = image;
  const copy = before.cloneNode(true) as Element;
  const { ownerDocument: document } = copy;
  const figure = copy.localName === 'figure' ? copy : needsFigure(image) ? document.createElement('figure') : undefined;
  const holder = figure ?? document.createElement('div');
  if (copy !== holder) holder.append(copy);
  setImage(holder.querySelector('img')!, image);
  setLink(holder.querySelector('img')!, link);
  if (!figure) return holder.innerHTML;
  setOrRemove(figure, 'class', withLayout(figure.getAttribute('class'), { size, side }));
  if (caption !== captionOf(figure)) {
    figure.querySelector('figcaption')?.remove();
    if (caption !== '') figure.append(Object.assign(document.createElement('figcaption'), { textContent: caption }));
  }
  return figure.outerHTML;
}

function setImage(element: HTMLImageElement, { src, alt, width, height }: NewImage): void {
  const isOther = element.getAttribute('src') !== src;
  element.setAttribute('src', src);
  setOrRemove(element, 'alt', alt);
  if (!isOther) return;
  setOrRemove(element, 'width', width ? String(width) : null);
  setOrRemove(element, 'height', height ? String(height) : null);
  // These attributes belong to the former image.
  for (const name of ['srcset', 'sizes', 'style']) element.removeAttribute(name);
}

function setLink(image: HTMLImageElement, address: string): void {
  const link = image.closest('a');
  if (link && address === '') link.replaceWith(...link.childNodes);
  else if (link) link.setAttribute('href', address);
  else if (address !== '') {
    const around = image.ownerDocument.createElement('a');
    around.setAttribute('href', address);
    image.replaceWith(around);
    around.append(image);
  }
}

function setOrRemove(element: Element, name: string, value: string | null): void {
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** Replaces a part of a line by a block. The text before and after becomes paragraphs of its own. */
function asBlock(text: string, { from, to }: TextRange, block: string): TextRange & { insert: string } {
  const open = /<p(?:\s[^<>]*)?>(?:(?!<\/?p[\s>])[\s\S])*$/.exec(
    text.slice(Math.max(0, from - MAX_TAG_CHARACTERS), from),
  );
  const close = open && /^(?:(?!<\/?p[\s>])[\s\S])*?<\/p>/.exec(text.slice(to, to + MAX_TAG_CHARACTERS));
  if (open && close) {
    const tag = /^<p[^<>]*>/.exec(open[0])![0];
    const [before, behind] = [open[0].slice(tag.length), close[0].slice(0, -'</p>'.length)];
    const begin = before.trim() === '' ? '' : `${tag}${before.trimEnd()}</p>\n`;
    const end = behind.trim() === '' ? '' : `\n<p>${behind.trimStart()}</p>`;
    return { from: from - open[0].length, to: to + close[0].length, insert: `${begin}${block}${end}` };
  }
  const [line, rest] = [text.slice(text.lastIndexOf('\n', from - 1) + 1, from), /^[^\n]*/.exec(text.slice(to))![0]];
  return {
    from,
    to,
    insert: `${line.trim() === '' ? '' : '\n\n'}${block}${rest.trim() === '' ? '' : '\n\n'}`,
  };
}
