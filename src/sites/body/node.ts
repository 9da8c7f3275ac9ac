/** A body as a tree, between reading and writing. The tree only has what `vocabulary.ts` names. */
export type Node = Element | Text;

interface Text {
  text: string;
}

export interface Element {
  name: string;
  /** The name as written, by which the end tag is matched. */
  tag: string;
  attributes: Attributes;
  children: Node[];
}

export type Attributes = Record<string, string>;

export function element(name: string, attributes: Attributes = {}, children: Node[] = [], tag = name): Element {
  return { name, tag, attributes, children };
}

export function isElement(node: Node | undefined, ...names: string[]): node is Element {
  return node !== undefined && 'name' in node && (names.length === 0 || names.includes(node.name));
}

/** True if the node is text that shows nothing. A no-break space does show. */
export function isBlank(node: Node): boolean {
  return 'text' in node && isBlankText(node.text);
}

export function isBlankText(text: string): boolean {
  return !/[^ \t\n\r\f]/.test(text);
}

/** Visits every element below the parent, in the order of the document. */
export function eachElement(parent: Element, visit: (element: Element, parent: Element) => void): void {
  for (const child of parent.children) {
    if (!isElement(child)) continue;
    visit(child, parent);
    eachElement(child, visit);
  }
}

export function hasClass(element: Element, name: string): boolean {
  return element.attributes.class?.split(' ').includes(name) ?? false;
}

export function addClass(attributes: Attributes, name: string): void {
  const names = attributes.class?.split(' ') ?? [];
  if (!names.includes(name)) attributes.class = [...names, name].join(' ');
}

export function removeClass(attributes: Attributes, name: string): void {
  const names = attributes.class?.split(' ').filter((other) => other !== name) ?? [];
  if (names.length > 0) attributes.class = names.join(' ');
  else delete attributes.class;
}
