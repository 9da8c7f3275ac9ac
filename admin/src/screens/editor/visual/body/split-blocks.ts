import { parseHtml } from '../../../../parts/parse-html.ts';
import { blockEnds } from './block-ends.ts';

/** A block of a body. A line of text outside of blocks counts as one. */
export interface SourceBlock {
  /** The invisible source before the block: white space, comments and scripts. */
  readonly lead: string;
  readonly source: string;
  /** The invisible source after the block, such as the end of the body or WordPress's end-of-block comment. */
  readonly trail: string;
}

interface Piece {
  readonly source: string;
  readonly isVisible: boolean;
}

/** Splits a body into blocks that mean the same alone as in the body. Joined in order, they are the body. */
export function splitBlocks(html: string): SourceBlock[] {
  const blocks: SourceBlock[] = [];
  let lead = '';
  for (const { source, isVisible } of splitPieces(html)) {
    const last = blocks.at(-1);
    if (isVisible) {
      blocks.push({ lead, source, trail: '' });
      lead = '';
    } else if (last && lead === '' && /^\s*<!-- \/wp:[^>]*-->\s*$/.test(source)) {
      // The comment that ends a WordPress block.
      blocks[blocks.length - 1] = { ...last, trail: last.trail + source };
    } else lead += source;
  }
  const last = blocks.pop();
  return last ? [...blocks, { ...last, trail: last.trail + lead }] : [];
}

function splitPieces(html: string): Piece[] {
  const whole = parseHtml(html);
  return joinDependentSlices(slices(html, verifiedEnds(html, whole)), whole) ?? [{ source: html, isVisible: true }];
}

/** Returns the ends at which the parser is outside of all elements. */
function verifiedEnds(html: string, whole: HTMLElement): number[] {
  const ends = blockEnds(html);
  const marker = unusedMarker(html);
  const marked = parseHtml(
    slices(html, ends).reduce((text, slice, index) => `${text}<!--${marker}${index}-->${slice}`),
  );
  const placed = new Set<number>();
  for (const node of commentsIn(marked)) {
    if (!node.data.startsWith(marker)) continue;
    const isOutside = node.parentNode === marked || endsParagraph(node, marked);
    if (isOutside && !splitsText(node)) placed.add(ends[Number(node.data.slice(marker.length)) - 1]!);
    node.remove();
  }
  marked.normalize();
  return marked.isEqualNode(whole) ? ends.filter((end) => placed.has(end)) : [];
}

function commentsIn(body: HTMLElement): Comment[] {
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_COMMENT);
  const comments: Comment[] = [];
  while (walker.nextNode()) comments.push(walker.currentNode as Comment);
  return comments;
}

/** True if a paragraph is open at the comment, and the next block closes it. */
function endsParagraph({ parentNode: parent, nextSibling }: Comment, body: HTMLElement): boolean {
  return parent instanceof HTMLParagraphElement && parent.parentNode === body && nextSibling === null;
}

/** True if the comment is within one text: the end tag there closes nothing and is ignored. */
function splitsText({ previousSibling, nextSibling }: Comment): boolean {
  return previousSibling instanceof Text && nextSibling instanceof Text;
}

/** The most joins to try. A body that needs more is a single block. */
const MAX_JOINS = 50;

/** Joins slices to those before them until each means the same alone as in the whole. Returns undefined if that fails. */
function joinDependentSlices(slices: readonly string[], whole: HTMLElement): Piece[] | undefined {
  const pieces: (Piece & { readonly first: ChildNode | null })[] = [];
  let joins = 0;
  let next = whole.firstChild;
  for (const slice of slices) {
    let source = slice;
    for (;;) {
      const { childNodes } = parseHtml(source);
      const behind = matchNodes(childNodes, next);
      if (behind !== undefined) {
        pieces.push({ source, isVisible: [...childNodes].some(isVisibleNode) || isOpen(source), first: next });
        next = behind;
        break;
      }
      // An element from the slice before may still be open.
      const before = pieces.pop();
      if (!before || ++joins > MAX_JOINS) return undefined;
      source = before.source + source;
      next = before.first;
    }
  }
  return next ? undefined : pieces;
}

/** Returns the node that follows `nodes` in the whole, or undefined if the whole has other nodes there. */
function matchNodes(nodes: Iterable<ChildNode>, from: ChildNode | null): ChildNode | null | undefined {
  let next = from;
  for (const node of nodes) {
    if (!next || !node.isEqualNode(next)) return undefined;
    next = next.nextSibling;
  }
  return next;
}

/** True if the source has an open element, which would swallow the text after it. */
function isOpen(source: string): boolean {
  return !(parseHtml(`${source}<hr>`).lastChild instanceof HTMLHRElement);
}

function isVisibleNode(node: Node): boolean {
  if (node instanceof Comment) return false;
  if (node instanceof Text) return /[^ \t\n\r\f]/.test(node.data);
  return !(node instanceof Element && /^(?:base|link|meta|script|style|template|title)$/.test(node.localName));
}

function slices(html: string, ends: readonly number[]): string[] {
  return [...ends, html.length].map((end, index) => html.slice(ends[index - 1] ?? 0, end));
}

/** Returns a text that the HTML does not contain. */
function unusedMarker(html: string): string {
  let marker = 'end-';
  while (html.includes(marker)) marker += '-';
  return marker;
}
