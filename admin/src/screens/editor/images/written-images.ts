import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { ChangeSpec, EditorState } from '@codemirror/state';
import { escapeHtml } from '../escape-html.ts';
import { DECORATIVE, decorative, escapeLabel, type ShownImage } from './image-markup.ts';

/** An image in Markdown or HTML source. */
export interface WrittenImage extends ShownImage {
  /** The range of the image's markup. */
  readonly from: number;
  readonly to: number;
  /** The range of the image's URL. In Markdown, the URL may be in a definition that several images share. */
  readonly address: { readonly from: number; readonly to: number };
  /** Returns the text change that adds a description. */
  readonly describe: (alt: string) => ChangeSpec;
}

/** The most images to look at: the search runs on every keystroke. */
const MAX_IMAGES = 1000;

/** How long to wait for the syntax tree of the whole text. The editor parses the rest in the background. */
const PARSE_TIMEOUT_MS = 200;

/** Returns the images of HTML. */
export function imagesInHtml({ doc }: Pick<EditorState, 'doc'>): WrittenImage[] {
  return imageTags(doc.toString());
}

/** Returns the images of Markdown, including HTML in it, but not in code or comments. */
export function imagesInMarkdown(state: EditorState): WrittenImage[] {
  const text = state.doc.toString();
  if (!text.includes('![') && !/<img\b/i.test(text)) return [];
  const tree = ensureSyntaxTree(state, text.length, PARSE_TIMEOUT_MS) ?? syntaxTree(state);
  const isIn = (at: number, names: RegExp) => {
    for (let node = tree.resolve(at, 1); node.parent; node = node.parent) if (names.test(node.name)) return true;
    return false;
  };
  const tags = imageTags(text).filter(({ from }) => !isIn(from, /Code|^Comment/));
  const signs = positionsOf(text, '![').flatMap((from) => {
    const image = tree.resolve(from, 1).parent;
    return image?.name === 'Image' && image.from === from ? [image] : [];
  });
  const named = signs.some((image) => !addressIn(image)) ? definitionsIn(text, tree) : undefined;
  const images = signs.flatMap((image): WrittenImage[] => {
    const close = image.getChildren('LinkMark')[1];
    if (!close) return [];
    const inner = { from: image.from + 2, to: close.from };
    const said = text.slice(inner.from, inner.to);
    const label = image.getChild('LinkLabel');
    const name = label && label.to - label.from > 2 ? text.slice(label.from + 1, label.to - 1) : said;
    const address = addressIn(image) ?? named?.get(normalizeLabel(name));
    if (!address) return [];
    const { from, to } = withoutAngleBrackets(text, address);
    const isDecoration = decorative.test(text.slice(image.to, image.to + 100));
    return [
      {
        src: decodeAddress(text.slice(from, to)),
        alt: said.trim() || (isDecoration ? '' : null),
        from: image.from,
        to: image.to,
        address: { from, to },
        describe: (alt) =>
          alt === '' ? { from: image.to, insert: DECORATIVE } : { ...inner, insert: escapeLabel(alt) },
      },
    ];
  });
  return [...images, ...tags].sort((one, other) => one.from - other.from);
}

/* A tag ends at the next `<` or at its own `>`, so that even a malformed text is scanned in linear time. */
function imageTags(text: string): WrittenImage[] {
  const images: WrittenImage[] = [];
  for (const { 0: tag, index: from } of text.matchAll(/<img(?=[\s/])[^<>]*>/gi)) {
    const attributes = new Map<string, { value: string; from: number; to: number }>();
    for (const match of tag.matchAll(/\s([a-z-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/dgi)) {
      const at = [2, 3, 4].find((group) => match[group] !== undefined);
      const [start, end] = (at !== undefined && match.indices![at]) || [0, 0];
      const name = match[1]!.toLowerCase();
      if (!attributes.has(name)) attributes.set(name, { value: match[at!] ?? '', from: from + start, to: from + end });
    }
    const src = attributes.get('src');
    if (!src) continue;
    images.push({
      src: decodeAddress(src.value),
      alt: attributes.get('alt')?.value ?? null,
      from,
      to: from + tag.length,
      address: { from: src.from, to: src.to },
      describe: (alt) => ({ from: from + '<img'.length, insert: ` alt="${escapeHtml(alt)}"` }),
    });
    if (images.length === MAX_IMAGES) break;
  }
  return images;
}

function positionsOf(text: string, sign: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(sign); at !== -1 && places.length < MAX_IMAGES; at = text.indexOf(sign, at + 1))
    places.push(at);
  return places;
}

export type Tree = ReturnType<ReturnType<typeof syntaxTree>['resolve']>;

/** Returns the URL of a link or image, but not a URL inside its label. */
export function addressIn(node: Tree): Tree | undefined {
  const [, close] = node.getChildren('LinkMark');
  return node.getChildren('URL').find(({ from }) => close && from >= close.to);
}

/** Returns the URLs of link definitions by label. The first definition of a label counts. */
export function definitionsIn(text: string, tree: { resolve(at: number, side: 1): Tree }): Map<string, Tree> {
  const named = new Map<string, Tree>();
  for (const match of text.matchAll(/^ {0,3}\[([^\]\n\r\u2028\u2029]{1,999})\]:/gm)) {
    const name = normalizeLabel(match[1]!);
    const url = definitionAt(tree.resolve(match.index + match[0].indexOf('['), 1))?.getChild('URL');
    if (url && !named.has(name)) named.set(name, url);
  }
  return named;
}

function definitionAt(node: Tree): Tree | undefined {
  for (let at: Tree | null = node; at; at = at.parent) if (at.name === 'LinkReference') return at;
  return undefined;
}

export function normalizeLabel(name: string): string {
  return name.trim().replace(/\s+/g, ' ').toLowerCase();
}

export function withoutAngleBrackets(text: string, { from, to }: { from: number; to: number }) {
  return text[from] === '<' && text[to - 1] === '>' ? { from: from + 1, to: to - 1 } : { from, to };
}

/** Decodes `&amp;` in a URL, as Markdown and HTML do. */
export function decodeAddress(written: string): string {
  return written.trim().replace(/&(?:amp|#38);/g, '&');
}
