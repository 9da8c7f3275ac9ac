import { blockNames } from '../../../body-vocabulary.ts';
import { strings } from '../../../strings.ts';
import { showHtml } from '../html-view.ts';
import { wordsOf } from './align.ts';
import type { Block, ChangedBlock } from './block-differences.ts';

/** A block with its element in the document. */
interface RenderedBlock extends Block {
  readonly element: HTMLElement;
  /** The place of each token: a part of a text node, or an element. */
  readonly places: readonly Place[];
}

type Place = Element | { readonly text: Text; readonly end: number };

interface Rendered {
  readonly name: string;
  readonly description: string | null;
  readonly html: string;
}

/** Returns the blocks of a page's version, starting with its name and its excerpt. */
export function renderedBlocks({ name, description, html }: Rendered): RenderedBlock[] {
  const excerpt = description ? [`${strings.fields.description}: ${description}`] : [];
  return [
    ...[name, ...excerpt].map((text, index) => {
      const line = paragraph([document.createTextNode(text)]);
      line.dataset.part = index === 0 ? 'name' : 'excerpt';
      return line;
    }),
    ...blocksIn(showHtml(html)),
  ].map(readBlock);
}

/** Returns the outermost blocks, without plain boxes around them. Text outside of blocks becomes a paragraph. */
function blocksIn(parent: ParentNode): HTMLElement[] {
  const blocks: HTMLElement[] = [];
  let line: Node[] = [];
  const endLine = () => {
    if (line.some(isSeen)) blocks.push(paragraph(line));
    line = [];
  };
  for (const node of [...parent.childNodes]) {
    if (node instanceof HTMLElement && isBlock(node)) {
      endLine();
      if (node.localName === 'div' && node.className === '') blocks.push(...blocksIn(node));
      else blocks.push(node);
    } else line.push(node);
  }
  endLine();
  return blocks;
}

function isBlock({ localName, className }: Element): boolean {
  return blockNames.has(localName) || className !== '';
}

function isSeen(node: Node): boolean {
  return node.textContent?.trim() !== '' || (node instanceof Element && node.matches(':is(img, :has(img))'));
}

function paragraph(children: readonly Node[]): HTMLElement {
  const element = document.createElement('p');
  element.append(...children);
  return element;
}

/** Elements that count as one token. */
const ATOMS = 'img, hr, br, .embed-box';

function readBlock(element: HTMLElement): RenderedBlock {
  const tokens: string[] = [];
  const places: Place[] = [];
  const read = (node: Node, path: string): void => {
    if (node instanceof Text) {
      let end = 0;
      for (const word of wordsOf(node.data)) {
        end += word.length;
        tokens.push(word.trim() === '' ? ' ' : word + path);
        places.push({ text: node, end });
      }
    } else if (node instanceof Element && node.matches(ATOMS)) {
      tokens.push(
        `${node.localName} ${node.getAttribute('src') ?? node.textContent} ${node.getAttribute('alt') ?? ''}`,
      );
      places.push(node);
    } else if (node instanceof Element) {
      for (const child of node.childNodes) read(child, `${path}\0${node.localName}`);
    }
  };
  if (element.matches(ATOMS)) read(element, '');
  else for (const child of element.childNodes) read(child, '');
  const kind = `${element.localName} ${element.dataset.part ?? ''}`;
  return { kind, key: JSON.stringify([kind, ...tokens]), element, tokens, places };
}

/** Marks the changes within a block's element, or wraps the element if all of it is changed. Returns the element to show. */
export function markChanges({ block, changed }: ChangedBlock<RenderedBlock>, mark: 'ins' | 'del'): HTMLElement {
  const { element, places } = block;
  const wrap = (nodes: readonly Node[], isWhole = false) => {
    const wrapper = document.createElement(mark);
    if (isWhole) wrapper.dataset.whole = '';
    wrapper.append(...nodes);
    return wrapper;
  };
  if (!changed) return wrap([element], true);
  const isWhole = (place: Place): place is Element => place instanceof Element;
  // Works backwards: splitting a text node after a word leaves earlier places valid.
  for (let index = places.length - 1; index >= 0; index--) {
    if (!changed[index]) continue;
    const place = places[index]!;
    if (isWhole(place)) {
      place.replaceWith(wrap([place.cloneNode(true)]));
      continue;
    }
    let first = index;
    const isPart = (before: Place | undefined) => before && !isWhole(before) && before.text === place.text;
    while (changed[first - 1] && isPart(places[first - 1])) first--;
    const before = places[first - 1];
    const start = isPart(before) ? (before as { end: number }).end : 0;
    place.text.splitText(place.end);
    const part = place.text.splitText(start);
    part.replaceWith(wrap([part.cloneNode()]));
    index = first;
  }
  return element;
}
