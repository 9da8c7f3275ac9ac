import { createDocument, type Editor, getSchema } from '@tiptap/core';
import { DOMSerializer } from '@tiptap/pm/model';
import { escapeHtml } from '../escape-html.ts';
import { visualExtensions } from './extensions.ts';
import { withHeads } from './tables.ts';

/** Tags that a body is read without: they belong to the document around it. */
const WHOLE = /<(?:!doctype|\/?(?:html|head|body))\b/i;

/** Whether the visual editor keeps all that this HTML means. What it would lose must be edited as source. */
export function canHold(html: string): boolean {
  if (html.trim() === '') return true;
  if (WHOLE.test(html)) return false;
  try {
    const schema = getSchema(visualExtensions);
    const document_ = createDocument(html, schema, {}, { errorOnInvalidContent: false });
    const target = document.implementation.createHTMLDocument();
    const fragment = DOMSerializer.fromSchema(schema).serializeFragment(document_.content, { document: target });
    const holder = target.createElement('div');
    holder.append(fragment);
    withHeads(holder);
    return meaningOf(html) === meaningOf(holder.innerHTML);
  } catch {
    return false;
  }
}

/** Returns the editor's text as readable HTML: items of lists and cells have no paragraph of their own. */
export function htmlOf(editor: Editor): string {
  if (isNothing(editor)) return '';
  const holder = bodyOf(editor.getHTML());
  withHeads(holder);
  for (const paragraph of holder.querySelectorAll('li > p, td > p, th > p')) {
    if (isOnlyParagraph(paragraph)) paragraph.replaceWith(...paragraph.childNodes);
  }
  // Each block on a line of its own: differences between revisions are then easy to read.
  return [...holder.children].map((block) => block.outerHTML).join('\n');
}

/** There is nothing to be seen. The library counts a table without a word as empty, too. */
function isNothing({ isEmpty, state }: Editor): boolean {
  let hasTable = false;
  state.doc.descendants(({ type }) => {
    hasTable ||= type.name === 'table';
    return !hasTable;
  });
  return isEmpty && !hasTable;
}

/** HTML in a form in which two that mean the same are the same: for comparing, not for keeping. */
function meaningOf(html: string): string {
  const body = bodyOf(html);
  for (const paragraph of body.querySelectorAll('li > p, td > p, th > p')) {
    if (isOnlyParagraph(paragraph)) paragraph.replaceWith(...paragraph.childNodes);
  }
  // Two trees: pieces of text that stood side by side are one again.
  body.normalize();
  return trimmed([...body.childNodes].map((node) => write(node, false)).join(''));
}

/** Trims white space that browsers do not show. They do show a no-break space. */
function trimmed(text: string): string {
  const start = text.search(/[^ \t\n\r\f]/);
  if (start === -1) return '';
  let end = text.length;
  while (' \t\n\r\f'.includes(text[end - 1]!)) end -= 1;
  return text.slice(start, end);
}

const sameAs: Readonly<Record<string, string>> = { b: 'strong', i: 'em', del: 's', strike: 's' };
const blocks = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre hr table tbody thead tfoot tr td th div section iframe br'.split(' '),
);

function write(node: ChildNode, isPreformatted: boolean): string {
  if (node.nodeType === Node.TEXT_NODE) return isPreformatted ? escapeHtml(node.nodeValue!) : writeText(node);
  if (!(node instanceof Element)) return node.nodeType === Node.COMMENT_NODE ? `<!--${node.nodeValue}-->` : '';
  const name = sameAs[node.localName] ?? node.localName;
  const attributes = [...node.attributes]
    .map(({ name: attribute, value }) => [attribute, attribute === 'style' ? styleOf(value) : value.trim()])
    .filter(([attribute, value]) => value !== '' || !['class', 'style', 'id'].includes(attribute!))
    .sort(([one], [other]) => (one! < other! ? -1 : 1))
    .map(([attribute, value]) => ` ${attribute}="${escapeHtml(value!)}"`);
  const pre = isPreformatted || name === 'pre';
  const content = [...node.childNodes].map((child) => write(child, pre)).join('');
  return `<${name}${attributes.join('')}>${blocks.has(name) && !pre ? trimmed(content) : content}</${name}>`;
}

/** White space as a browser shows it: runs are one space, and none is beside a block. */
function writeText(node: ChildNode): string {
  let text = node.nodeValue!.replace(/[ \t\n\r\f]+/g, ' ');
  if (isBlock(node.previousSibling)) text = text.replace(/^ /, '');
  if (isBlock(node.nextSibling)) text = text.replace(/ $/, '');
  return escapeHtml(text);
}

function isBlock(node: ChildNode | null): boolean {
  return node instanceof Element && blocks.has(node.localName);
}

function isOnlyParagraph(paragraph: Element): boolean {
  if (paragraph.attributes.length > 0) return false;
  const { parentElement: parent } = paragraph;
  const others = [...parent!.childNodes].filter(
    (node) => node !== paragraph && (node.nodeValue === null || trimmed(node.nodeValue) !== ''),
  );
  return others.every((node) => node instanceof Element && /^(?:ul|ol)$/.test(node.localName));
}

function styleOf(value: string): string {
  return value
    .split(';')
    .map((declaration) => {
      const [name, ...value] = declaration.trim().split(':');
      return value.length === 0 ? name : `${name!.trimEnd()}:${value.join(':').trimStart()}`;
    })
    .filter(Boolean)
    .join(';');
}

/** As the editor reads it: what comes first would else be the document's, and not be seen here. */
function bodyOf(html: string): HTMLElement {
  return new DOMParser().parseFromString(`<body>${html}`, 'text/html').body;
}
