import { closeHistory } from '@tiptap/pm/history';
import { Fragment, type Node } from '@tiptap/pm/model';
import { type EditorState, NodeSelection, TextSelection, type Transaction } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import type { MediaJson } from '../../../contract.ts';
import type { Attributes } from '../images/image-figure.ts';
import { type ImageLayout, layoutOf, withLayout } from '../images/image-layout.ts';
import { isImage } from './images.ts';

/** An image in the document, with its position. */
export interface PlacedImage {
  readonly node: Node;
  readonly at: number;
}

/** Returns the image that is selected, or whose caption contains the cursor. */
export function selectedImage({ selection }: Pick<EditorState, 'selection'>): PlacedImage | undefined {
  const { $from, $to } = selection;
  if (selection instanceof NodeSelection && isImage(selection.node))
    return { node: selection.node, at: selection.from };
  if ($from.parent.type.name !== 'figcaption' || !$from.sameParent($to)) return undefined;
  return { node: $from.node(-1), at: $from.before(-1) };
}

/** Sets the image's size and side. */
export function setLayout(view: EditorView, image: PlacedImage, layout: ImageLayout): void {
  const tr = closeHistory(view.state.tr);
  const at = toFigure(tr, image);
  if (at === undefined) return;
  tr.setNodeAttribute(at, 'class', withLayout(tr.doc.nodeAt(at)!.attrs.class, layout));
  view.dispatch(tr.setSelection(NodeSelection.create(tr.doc, at)).scrollIntoView());
}

/** Moves the cursor into the image's caption. */
export function writeCaption(view: EditorView, image: PlacedImage): void {
  const tr = closeHistory(view.state.tr);
  const at = toFigure(tr, image);
  if (at === undefined) return;
  const end = at + tr.doc.nodeAt(at)!.nodeSize - 2;
  view.dispatch(tr.setSelection(TextSelection.create(tr.doc, end)).scrollIntoView());
  view.focus();
}

/** Returns the address that the image links to, or an empty text. */
export function linkOf({ node }: PlacedImage): string {
  if (node.type.name === 'figure') return new Map(node.attrs.link as Attributes | null).get('href') ?? '';
  return String(node.marks.find(({ type }) => type.name === 'link')?.attrs.href ?? '');
}

/** Links the image to an address, or removes its link. */
export function linkImage(view: EditorView, { node, at }: PlacedImage, href: string | null): void {
  const tr = closeHistory(view.state.tr);
  const { link } = view.state.schema.marks;
  if (node.type.name === 'figure') {
    const others = ((node.attrs.link ?? []) as Attributes).filter(([name]) => name !== 'href');
    tr.setNodeAttribute(at, 'link', href === null ? null : [['href', href], ...others]);
  } else if (href === null) tr.removeMark(at, at + 1, link);
  else tr.addMark(at, at + 1, link!.create({ href }));
  if (node.type.name !== 'figure') tr.setSelection(NodeSelection.create(tr.doc, at));
  view.dispatch(tr);
}

/** Replaces an image by another one. Keeps its size, side, link and caption. Returns false if the image is gone. */
export function replaceWith(
  view: EditorView,
  { node }: PlacedImage,
  { src, alt, width, height }: Pick<MediaJson, 'src' | 'alt'> & Partial<Pick<MediaJson, 'width' | 'height'>>,
): boolean {
  const tr = closeHistory(view.state.tr);
  let place: number | undefined;
  tr.doc.descendants((other, at) => {
    if (other === node) place ??= at;
    return place === undefined;
  });
  if (place === undefined) return false;
  const attributes = { src, alt, width: width ? String(width) : null, height: height ? String(height) : null };
  for (const [name, value] of Object.entries(attributes)) tr.setNodeAttribute(place, name, value);
  // These attributes belong to the former image.
  for (const name of ['srcset', 'sizes']) if (node.attrs[name]) tr.setNodeAttribute(place, name, null);
  const others = (node.attrs.others ?? []) as Attributes;
  if (others.length > 0) {
    tr.setNodeAttribute(
      place,
      'others',
      others.filter(([name]) => !/^(?:srcset|sizes|style)$/.test(name)),
    );
  }
  view.dispatch(tr);
  return true;
}

/** Turns an inline image into a figure, which splits the text around it into two blocks. Returns the figure's position. */
function toFigure(tr: Transaction, { node, at }: PlacedImage): number | undefined {
  if (node.type.name === 'figure') return at;
  const $at = tr.doc.resolve(at);
  const { parent, parentOffset } = $at;
  const pieces = [parent.cut(0, parentOffset), parent.cut(parentOffset + 1)].map((piece) =>
    isBlank(piece) ? undefined : piece,
  );
  const figure = figureOf(node);
  const [before, behind] = pieces;
  // Tries to start with an empty paragraph, too: a list item, for example, must start with text.
  for (const first of [before, parent.type.create(parent.attrs)]) {
    const blocks = blocksOf(parent, first, figure, behind);
    if (!$at.node(-1).canReplace($at.index(-1), $at.indexAfter(-1), Fragment.from(blocks))) continue;
    tr.replaceWith($at.before(), $at.after(), blocks);
    return tr.mapping.map($at.before(), -1) + (first ? blocks[0]!.nodeSize : 0);
  }
  return undefined;
}

/** Returns the new blocks. The first and the last take over the invisible source around the original block. */
function blocksOf({ attrs }: Node, before: Node | undefined, figure: Node, behind: Node | undefined): Node[] {
  const blocks = [before, figure, behind].filter((block) => block !== undefined);
  return blocks.map((block, index) =>
    block.type.create(
      {
        ...block.attrs,
        ...(block !== figure && index > 0 && { id: null }),
        lead: index === 0 ? attrs.lead : null,
        trail: index === blocks.length - 1 ? attrs.trail : null,
      },
      block.content,
    ),
  );
}

function figureOf(image: Node): Node {
  const { schema } = image.type;
  const { src, alt, width, height, class: className, ...rest } = image.attrs;
  const link = image.marks.find(({ type }) => type.name === 'link');
  const named = (attributes: object) =>
    Object.entries(attributes).filter(([, value]) => value !== null && value !== undefined);
  const attributes = {
    src,
    alt,
    width,
    height,
    others: named({ class: withLayout(className, { size: 'normal', side: undefined }), ...rest }),
    link: link ? named({ href: link.attrs.href, target: link.attrs.target, rel: link.attrs.rel }) : null,
    class: withLayout(null, layoutOf(className)),
  };
  return schema.nodes.figure!.create(attributes, schema.nodes.figcaption!.create());
}

function isBlank(block: Node): boolean {
  return block.children.every((child) => child.isText) && block.textContent.trim() === '';
}
