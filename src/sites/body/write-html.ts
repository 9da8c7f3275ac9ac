import { type Element, isElement, type Node } from './node.ts';

const withoutContent = new Set(['br', 'hr', 'img', 'input', 'source', 'wbr']);

/** Returns the children of the element as HTML, with balanced tags, quoted attributes and escaped text. */
export function writeHtml(parent: Element): string {
  const parts: string[] = [];
  writeAll(parent.children, parts);
  return parts.join('');
}

function writeAll(nodes: readonly Node[], parts: string[]): void {
  for (const node of nodes) {
    if (isElement(node)) writeElement(node, parts);
    else parts.push(escapeText(node.text));
  }
}

function writeElement({ name, attributes, children }: Element, parts: string[]): void {
  const names = Object.keys(attributes);
  // A span without attributes means nothing, and much pasted text is full of them.
  if (name === 'span' && names.length === 0) {
    writeAll(children, parts);
    return;
  }
  parts.push('<', name);
  for (const attribute of names) {
    const value = attributes[attribute]!;
    if (value === '' && flags.has(attribute)) parts.push(' ', attribute);
    else parts.push(' ', attribute, '="', escapeAttribute(value), '"');
  }
  parts.push('>');
  if (withoutContent.has(name)) return;
  const start = parts.length;
  writeAll(children, parts);
  // Browsers ignore a line break at the start of <pre>, so it is doubled.
  if (name === 'pre' && parts[start]?.startsWith('\n')) parts.splice(start, 0, '\n');
  parts.push('</', name, '>');
}

const flags = new Set(['allowfullscreen', 'checked', 'disabled', 'open', 'reversed']);

const special = /[&<>]/;
const specialInAttributes = /[&<>"]/;

function escapeText(text: string): string {
  if (!special.test(text)) return text;
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function escapeAttribute(value: string): string {
  if (!specialInAttributes.test(value)) return value;
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
