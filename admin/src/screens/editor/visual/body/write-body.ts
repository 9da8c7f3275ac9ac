import type { Node } from '@tiptap/pm/model';
import { parseHtml } from '../../../../parts/parse-html.ts';
import { isBlockName } from './block-ends.ts';
import { canonicalHtml } from './canonical-html.ts';

/** A block as it was when the body was opened. */
interface OpenedBlock {
  readonly node: Node;
  readonly source: string;
  readonly before: OpenedBlock | undefined;
  after: OpenedBlock | undefined;
}

/**
 * Returns a function that writes the editor's document as HTML. A block that is unchanged since `opened` keeps its source,
 * byte for byte. Each new block gets its own line, which makes differences between revisions easy to read.
 */
export function bodyWriter(html: string, sources: readonly string[], opened: Node): (doc: Node) => string {
  const known = new WeakMap<Node, OpenedBlock>();
  let first: OpenedBlock | undefined;
  let last: OpenedBlock | undefined;
  opened.forEach((node, _offset, index) => {
    const block: OpenedBlock = { node, source: sources[index]!, before: last, after: undefined };
    if (last) last.after = block;
    first ??= block;
    last = block;
    known.set(node, block);
  });
  const openedAt = (doc: Node, index: number): OpenedBlock | undefined => {
    const node = doc.child(index);
    if (known.has(node)) return known.get(node);
    // A block that was changed and changed back is a new object, so it is recognized by its neighbours and content.
    const places = [
      index === 0 ? first : known.get(doc.child(index - 1))?.after,
      index + 1 === doc.childCount ? last : known.get(doc.child(index + 1))?.before,
    ];
    const same = places.find((block) => block?.node.eq(node));
    if (same) known.set(node, same);
    return same;
  };
  return (doc) => {
    if (doc.eq(opened)) return html;
    if (isEmptyDocument(doc)) return '';
    const blocks = Array.from({ length: doc.childCount }, (_, index) => openedAt(doc, index));
    const texts = blocks.map((block, index) => block?.source ?? canonicalHtml(doc.child(index)));
    return texts
      .map((text, index) => {
        const block = blocks[index];
        const node = doc.child(index);
        const isLast = index + 1 === texts.length;
        const isAsOpened = block?.after !== undefined && block.after === blocks[index + 1];
        const isWhole = isLast || isAsOpened || (!block && node.type.name !== 'htmlBlock');
        const written = isWhole || areIndependent(text, texts[index + 1]!) ? text : closedHtml(node);
        return leadOf(node, block, blocks[index - 1], index === 0) + written + trailOf(node, isLast);
      })
      .join('');
  };
}

/** True if the document shows nothing and has no source to keep. */
function isEmptyDocument({ children }: Node): boolean {
  return children.every((child) => {
    const { type, attrs } = child;
    const isShown = type.isLeaf || type.name === 'table' || type.name === 'figure';
    return !isShown && !attrs.lead?.trim() && !attrs.trail?.trim() && isEmptyDocument(child);
  });
}

/** Returns the source before the block. White space is kept between blocks that were neighbours before. */
function leadOf(
  { attrs }: Node,
  block: OpenedBlock | undefined,
  before: OpenedBlock | undefined,
  isFirst: boolean,
): string {
  const lead: string = attrs.lead ?? '';
  if (block && block.before === before && (before || isFirst)) return lead;
  return isFirst ? lead.trimStart() : lead || '\n';
}

function trailOf({ attrs }: Node, isLast: boolean): string {
  const trail: string = attrs.trail ?? '';
  return isLast ? trail : trail.trimEnd();
}

/** True if joining the two does not change their meaning. It does if an element is left open or both are inline. */
function areIndependent(html: string, next: string): boolean {
  const [one, other] = [[...parseHtml(html).childNodes], [...parseHtml(next).childNodes]];
  const both = [...parseHtml(`${html}<!---->${next}`).childNodes];
  if (isInLine(one.at(-1)) && isInLine(other[0])) return false;
  const separator = document.createComment('');
  const wanted = [...one, separator, ...other];
  return wanted.length === both.length && wanted.every((node, index) => node.isEqualNode(both[index]!));
}

function isInLine(node: globalThis.Node | undefined): boolean {
  return node instanceof Text || (node instanceof Element && !isBlockName(node.localName));
}

/** Returns the block with all elements closed. */
function closedHtml(node: Node): string {
  if (node.type.name !== 'htmlBlock') return canonicalHtml(node);
  const body = parseHtml(node.attrs.html);
  return [...body.childNodes].every(isInLine) ? `<p>${body.innerHTML}</p>` : body.innerHTML;
}
