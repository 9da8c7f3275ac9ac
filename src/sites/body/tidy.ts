import { urlText } from './addresses.ts';
import { type Element, element, hasClass, isBlank, isElement, type Node, removeClass } from './node.ts';
import { textOf } from './text.ts';
import { tidyTable } from './tidy-table.ts';
import { blockNames, headingNames, inlineNames } from './vocabulary.ts';

/**
 * Removes elements that are empty but would be read out or reported by checkers. Completes others with labels, summaries and
 * containers that scroll. Works from the innermost elements outwards.
 */
export function tidy(parent: Element): void {
  const tidied: Node[] = [];
  for (const child of parent.children) {
    if (isElement(child)) tidy(child);
    for (const node of isElement(child) ? tidyElement(child, parent) : [child]) tidied.push(node);
  }
  parent.children = tidied;
}

function tidyElement(child: Element, parent: Element): Node[] {
  const { name, children, attributes } = child;
  if (headingNames.has(name) && nameOf(child) === '') return children;
  if (isEmpty(child)) return inlineNames.has(name) ? children : [];
  switch (name) {
    case 'a':
      return tidyLink(child);
    case 'div':
      return tidyDiv(child);
    case 'details':
      if (
        !isElement(
          children.find((node) => !isBlank(node)),
          'summary',
        )
      ) {
        children.unshift(element('summary', {}, [{ text: 'Details' }]));
      }
      return [child];
    case 'dl':
      return tidyDefinitions(child);
    case 'figure':
      return [tidyFigure(child)];
    case 'li':
      labelCheckboxes(child);
      if (parent.name !== 'ol') delete attributes.value;
      return [child];
    case 'pre':
      // Content that is too wide is scrolled, also by keyboard.
      attributes.tabindex = '0';
      return [child];
    case 'rp':
    case 'rt':
      return parent.name === 'ruby' ? [child] : children;
    case 'ruby':
      return children.some((node) => isElement(node, 'rt')) ? [child] : children;
    case 'table':
      return tidyTable(child, parent);
    case 'time':
      return attributes.datetime === undefined ? children : [child];
    default:
      return [child];
  }
}

const removableNames: ReadonlySet<string> = new Set([
  ...inlineNames,
  ...['address', 'blockquote', 'caption', 'details', 'div', 'dl', 'figcaption', 'figure', 'ol', 'p', 'pre', 'summary'],
  ...['table', 'tbody', 'tfoot', 'thead', 'ul'],
]);

/** True for an element without content that may be removed. Items, cells and elements with an id must stay. */
function isEmpty({ name, children, attributes }: Element): boolean {
  if (!removableNames.has(name) || attributes.id !== undefined || (name === 'code' && children.length > 0))
    return false;
  return children.every(isBlank);
}

/** Completes a link: if its content has no name, as with an image without a text, the link is named after its target. */
function tidyLink(link: Element): Node[] {
  const { href } = link.attributes;
  // The link's text is only an arrow.
  if (hasClass(link, 'footnote-backref')) link.attributes['aria-label'] = 'Back to the text';
  if (href !== undefined && nameOf(link) === '') {
    if (!link.children.some((child) => !isBlank(child))) return [];
    link.attributes['aria-label'] = urlText(href) || 'Link';
  }
  if (href === undefined && link.attributes.id === undefined) return link.children;
  return [link];
}

/** Removes our class from a container that does not hold what the class promises. */
function tidyDiv(div: Element): Node[] {
  if (!hasClass(div, 'embed') || isElement(div.children[0], 'iframe')) return [div];
  const [only, more] = div.children.filter((child) => !isBlank(child));
  // A body that was rendered before already has the container.
  if (!more && isElement(only, 'div') && hasClass(only, 'embed')) {
    Object.assign(only.attributes, div.attributes);
    return [only];
  }
  removeClass(div.attributes, 'embed');
  return [div];
}

/** Returns the replacement of an element, unless it is empty. */
function replaced(other: Element): Node[] {
  return isEmpty(other) ? [] : [other];
}

/** Keeps a definition list that begins with a term and ends with a description. Any other list becomes a div. */
function tidyDefinitions(list: Element): Node[] {
  const parts = list.children.filter((child) => isElement(child));
  if (parts[0]?.name === 'dt' && parts.at(-1)?.name === 'dd') return [list];
  for (const part of parts) part.name = 'div';
  return replaced(
    element(
      'div',
      list.attributes,
      parts.filter((part) => !isEmpty(part)),
    ),
  );
}

function tidyFigure(figure: Element): Element {
  const parts = figure.children.filter((child) => !isBlank(child));
  const captions = parts.filter((part) => isElement(part, 'figcaption'));
  const keptCaption = captions.find((caption) => caption === parts[0] || caption === parts.at(-1));
  for (const caption of captions) if (caption !== keptCaption) caption.name = 'div';
  return figure;
}

/** Gives checkboxes without a label the text of their item. */
function labelCheckboxes(item: Element): void {
  const boxes = inLine(item).filter((node) => isElement(node, 'input'));
  if (boxes.length === 0) return;
  const text = textOf([item]).slice(0, 200) || 'Task';
  for (const box of boxes) box.attributes['aria-label'] ??= text;
}

function inLine(parent: Element): Element[] {
  const found: Element[] = [];
  for (const child of parent.children) {
    if (!isElement(child) || (blockNames.has(child.name) && child.name !== 'p')) continue;
    found.push(child, ...inLine(child));
  }
  return found;
}

/** Returns the first text that a screen reader reads for an element: its own, or that of an image. */
function nameOf(parent: Element): string {
  for (const child of parent.children) {
    const name = isElement(child) ? (child.attributes.alt ?? nameOf(child)) : child.text.trim();
    if (name !== '') return name;
  }
  return '';
}
