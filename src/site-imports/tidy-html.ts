import { DomUtils } from 'htmlparser2';
import { escapeHtml } from '../html.ts';
import { embedOf, embedSize, webUrl } from '../sites/body/embed-address.ts';
import { blockNames, dropped, replacements } from '../sites/body/vocabulary.ts';
import { classesOf, hasClass, isControl, isGallery, linkCards } from './exported-markup.ts';
import { type Element, type Node, parseHtml } from './parse-html.ts';

const isElement = (node: Node): node is Element => 'attribs' in node;
const isText = (node: Node): node is Extract<Node, { type: 'text' }> => node.type === 'text';

export interface References {
  /** Returns the new address of a link. */
  readonly linkTo: (href: string) => string;
  /** Returns the new address of an image. */
  readonly imageAt: (src: string) => string;
  /** Called for everything that could not be imported unchanged. */
  readonly note: (code: 'block' | 'shortcode' | 'form_or_script' | 'kept_as_html' | 'no_html', value: string) => void;
}

/**
 * Returns a text as HTML that the editors here know: without comments, layout boxes, and unknown classes and attributes.
 * With `hasLineBreaks`, line breaks between blocks count, and blank lines end paragraphs.
 */
export function tidyHtml(text: string, references: References, { hasLineBreaks }: { hasLineBreaks: boolean }): string {
  const nodes = parseHtml(text);
  if (!nodes) {
    references.note('kept_as_html', '');
    return text;
  }
  return new Writer(references, hasLineBreaks).blocks(nodes).join('\n');
}

class Writer {
  readonly #references: References;
  readonly #hasLineBreaks: boolean;

  constructor(references: References, hasLineBreaks: boolean) {
    this.#references = references;
    this.#hasLineBreaks = hasLineBreaks;
  }

  /** Writes nodes as blocks. Text and inline elements between blocks become paragraphs. */
  blocks(nodes: readonly Node[]): string[] {
    const blocks: string[] = [];
    let line: Node[] = [];
    const endLine = () => {
      for (const paragraph of this.#paragraphs(line)) blocks.push(paragraph);
      line = [];
    };
    for (const node of nodes) {
      if (!isElement(node)) {
        line.push(node);
        continue;
      }
      const name = nameOf(node);
      if (!blockNames.has(name) && !dropped.has(name)) {
        line.push(node);
        continue;
      }
      endLine();
      // Not pushed with a spread: the stack has no room for as many arguments as there may be blocks.
      for (const block of this.#block(node, name)) blocks.push(block);
    }
    endLine();
    return blocks;
  }

  #block(element: Element, name: string): string[] {
    if (dropped.has(name)) return this.#foreign(element, name);
    if (isControl(element)) return [];
    const card = this.#linkCard(element);
    if (card) return card;
    if (name === 'div') return this.blocks(element.children);
    if (name === 'figure') return this.#figure(element);
    if (name === 'figcaption' || isGallery(element)) return this.blocks(contentsOf(element));
    if (listNames.has(name) && element.children.every(isBlank)) return [];
    if (name === 'p') return this.#paragraph(element);
    if (name === 'blockquote') {
      return [`<blockquote>\n${this.blocks(element.children).join('\n')}\n</blockquote>`];
    }
    return [this.#element(element, name)];
  }

  #paragraph(element: Element): string[] {
    const inside = this.#inline(element.children).trim();
    if (inside === '' || inside === '&nbsp;') return [];
    return [this.#embedOf(element) ?? `<p${this.#attributes(element, 'p')}>${inside}</p>`];
  }

  /** Writes a figure. The block editor puts figures around images, tables, galleries, embedded pages and files. */
  #figure(element: Element): string[] {
    const inner = DomUtils.findOne((one) => ['figure', 'table'].includes(one.name), element.children);
    const embed = inner === null && DomUtils.findOne((one) => one.name === 'img', element.children) === null;
    if (inner || embed) {
      const found = embed ? this.#embedOf(element) : undefined;
      return found === undefined ? this.blocks(element.children) : [found];
    }
    const images = DomUtils.findAll((one) => one.name === 'img', element.children);
    if (images.length > 1) return this.#gallery(element, images);
    const image = element.children.map((node) =>
      isElement(node) && node.name === 'figcaption'
        ? `<figcaption>${this.#inline(node.children).trim()}</figcaption>`
        : this.#inline([node]).trim(),
    );
    const text = image.filter((part) => part !== '<figcaption></figcaption>').join('');
    return [`<figure${this.#attributes(element, 'figure')}>${text}</figure>`];
  }

  /** Returns the text of a Ghost card that is a link around boxes: a bookmark or a file. */
  #linkCard(element: Element): string[] | undefined {
    const card = linkCards.find(({ name }) => hasClass(element, name));
    const link = card && DomUtils.findOne(({ attribs }) => attribs.href !== undefined, element.children);
    if (!link) return undefined;
    const textOf = (name: string) => {
      const box = DomUtils.findOne((one) => hasClass(one, name), link.children);
      return box ? escapeText(DomUtils.textContent(box).trim()) : '';
    };
    const address = link.attribs.href!.trim();
    const href = escapeHtml(this.#references.linkTo(address));
    const text = textOf(card.text);
    const caption = DomUtils.findOne((one) => one.name === 'figcaption', element.children);
    return [
      `<p><a href="${href}">${textOf(card.title) || escapeText(address)}</a>${text && `<br>\n${text}`}</p>`,
      ...(caption ? this.blocks(caption.children) : []),
    ];
  }

  #gallery(element: Element, images: readonly Element[]): string[] {
    const caption = DomUtils.findOne((one) => one.name === 'figcaption', element.children);
    return [
      ...images.map((image) => `<figure>${this.#element(image, 'img')}</figure>`),
      ...(caption ? this.#paragraphs(caption.children) : []),
    ];
  }

  /** Returns the frame of a video or map, or a link, if the element has no other text than an address. */
  #embedOf(element: Element): string | undefined {
    const text = DomUtils.textContent(element).trim();
    if (/\s/.test(text) || !/^https?:\/\//.test(text)) return undefined;
    return this.#frame(text, {}) ?? this.#link(text);
  }

  #link(address: string): string {
    return `<p><a href="${escapeHtml(this.#references.linkTo(address))}">${escapeText(address)}</a></p>`;
  }

  #frame(address: string, { width, height }: Readonly<Record<string, string | undefined>>): string | undefined {
    const url = webUrl(address);
    const embed = url && embedOf(url);
    if (!embed) return undefined;
    const [wide, high] = embedSize(embed, width, height);
    return `<iframe src="${escapeHtml(embed.src)}" title="${embed.title}" width="${wide}" height="${high}"></iframe>`;
  }

  /** Keeps frames of known hosts, turns files into links, and records a note for everything else. */
  #foreign(element: Element, name: string): string[] {
    const { src, width, height } = element.attribs;
    const source = src ?? DomUtils.findOne((one) => one.attribs.src !== undefined, element.children)?.attribs.src;
    if (name === 'iframe' && src !== undefined) {
      const frame = this.#frame(src, { width, height });
      if (frame) return [frame];
    }
    if (['iframe', 'audio', 'video'].includes(name) && source && webUrl(source)) {
      return [this.#link(source)];
    }
    this.#references.note('form_or_script', name);
    return [];
  }

  /** Makes paragraphs from text and inline elements, divided at blank lines. */
  #paragraphs(nodes: readonly Node[]): string[] {
    const paragraphs: string[][] = [[]];
    for (const node of nodes) {
      if (!isText(node) || !this.#hasLineBreaks) {
        paragraphs.at(-1)!.push(this.#inline([node]));
        continue;
      }
      const [first = '', ...others] = node.data.split(/\n(?:[^\S\n]*\n)+/);
      const lines = (text: string) => text.split('\n').map(escapeText).join('<br>\n');
      paragraphs.at(-1)!.push(lines(first));
      for (const other of others) paragraphs.push([lines(other)]);
    }
    return paragraphs.flatMap((parts) => {
      const text = withoutOuterBreaks(parts.join(''));
      if (text === '') return [];
      const isAddress = /^https?:\/\/\S+$/.test(text) && !text.includes('<');
      const address = text.replaceAll('&amp;', '&');
      return [isAddress ? (this.#frame(address, {}) ?? this.#link(address)) : `<p>${text}</p>`];
    });
  }

  #inline(nodes: readonly Node[]): string {
    return nodes.map((node) => this.#node(node)).join('');
  }

  #node(node: Node): string {
    if (isText(node)) return escapeText(node.data);
    if (!isElement(node) || isControl(node)) return '';
    const name = nameOf(node);
    return dropped.has(name) ? this.#foreign(node, name).join('') : this.#element(node, name);
  }

  #element(element: Element, name: string): string {
    const attributes = this.#attributes(element, name);
    const start = `<${name}${attributes}>`;
    if (['br', 'hr', 'img', 'input', 'wbr'].includes(name)) return start;
    // Boxes without attributes add nothing to their text.
    if (attributes === '' && (name === 'span' || name === 'div')) return this.#inline(element.children);
    const children = listNames.has(name) ? element.children.filter((node) => !isBlank(node)) : element.children;
    const between = listNames.has(name) ? '\n' : '';
    const inside = children.map((node) => this.#node(node)).join(between);
    return `${start}${between}${inside}${between}</${name}>`;
  }

  #attributes({ attribs }: Element, name: string): string {
    const pairs: [string, string][] = [];
    for (const [attribute, value] of Object.entries(attribs)) {
      if (attribute === 'href' && name === 'a') pairs.push(['href', this.#references.linkTo(value.trim())]);
      else if (attribute === 'src' && name === 'img') pairs.push(['src', this.#references.imageAt(value.trim())]);
      else if (keptAttributes[name]?.includes(attribute) || attribute === 'lang' || attribute === 'dir')
        pairs.push([attribute, value]);
    }
    const classes = classesOf(attribs);
    if (classes !== '') pairs.push(['class', classes]);
    return pairs.map(([attribute, value]) => ` ${attribute}="${escapeHtml(value)}"`).join('');
  }
}

/** Elements in which white space means nothing. */
const listNames: ReadonlySet<string> = new Set(['ul', 'ol', 'dl', 'table', 'thead', 'tbody', 'tfoot', 'tr']);

/** Returns the contents of an element; for a list, the contents of its items. */
function contentsOf({ name, children }: Element): Node[] {
  if (name !== 'ul') return children;
  return children.flatMap((item) => (isElement(item) ? item.children : []));
}

function isBlank(node: Node): boolean {
  return node.type === 'comment' || (isText(node) && node.data.trim() === '');
}

function withoutOuterBreaks(text: string): string {
  let inner = text.trim();
  while (inner.startsWith('<br>')) inner = inner.slice(4).trimStart();
  while (inner.endsWith('<br>')) inner = inner.slice(0, -4).trimEnd();
  return inner;
}

function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (character) => (character === '&' ? '&amp;' : character === '<' ? '&lt;' : '&gt;'));
}

const keptAttributes: Readonly<Record<string, readonly string[]>> = {
  a: ['id', 'title'],
  img: ['alt', 'title', 'width', 'height'],
  ol: ['start', 'reversed', 'type'],
  li: ['value'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan', 'scope'],
  ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [name, ['id']])),
};

function nameOf({ name }: Element): string {
  return replacements.get(name) ?? name;
}
