import { DOMSerializer, type Node } from '@tiptap/pm/model';
import { withStyles } from '../styles.ts';
import { withHeads } from '../tables.ts';

/** The HTML of each node. Nodes are immutable, so it never changes. */
const written = new WeakMap<Node, string>();

/** Returns a block as readable HTML: a single paragraph in a list item or table cell is written without `<p>`. */
export function canonicalHtml(node: Node): string {
  const known = written.get(node);
  if (known !== undefined) return known;
  const html = node.type.name === 'htmlBlock' ? String(node.attrs.html) : write(node);
  written.set(node, html);
  return html;
}

function write(node: Node): string {
  const target = document.implementation.createHTMLDocument();
  const holder = target.createElement('div');
  holder.append(DOMSerializer.fromSchema(node.type.schema).serializeNode(node, { document: target }));
  withHeads(holder);
  withStyles(holder);
  for (const box of holder.querySelectorAll('figure > div')) box.replaceWith(...box.childNodes);
  for (const caption of holder.querySelectorAll('figure > figcaption:last-child')) {
    if (isBlank(caption)) caption.remove();
  }
  for (const paragraph of holder.querySelectorAll('li > p, td > p, th > p')) {
    if (isOnlyParagraph(paragraph)) paragraph.replaceWith(...paragraph.childNodes);
  }
  return holder.innerHTML;
}

function isBlank(element: Element): boolean {
  return !/[^ \t\n\r\f]/.test(element.textContent) && !element.querySelector('br');
}

function isOnlyParagraph(paragraph: Element): boolean {
  if (paragraph.attributes.length > 0) return false;
  const others = [...paragraph.parentElement!.children].filter((element) => element !== paragraph);
  // Without its paragraph, an item that starts with a list would be read differently.
  const isEmpty = paragraph.childElementCount === 0 && paragraph.textContent.trim() === '';
  if (isEmpty && others.length > 0) return false;
  return others.every(({ localName }) => /^(?:ul|ol)$/.test(localName));
}
