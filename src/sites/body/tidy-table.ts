import { addClass, type Element, element, hasClass, isBlank, isElement, type Node, removeClass } from './node.ts';
import { textOf } from './text.ts';

/** Returns the table with its sections in order and a scope on headers, in a container that scrolls. */
export function tidyTable(table: Element, parent: Element): Node[] {
  const sections = table.children.filter((child) => isElement(child)).map(tidySection);
  const rows = sections.filter((section) => section.name !== 'caption');
  if (rows.length === 0) {
    const captions = sections.filter((caption) => !caption.children.every(isBlank));
    return captions.map((caption) => element('p', {}, caption.children));
  }
  table.children = inOrder(sections);
  for (const section of rows) {
    const head = section.name === 'thead';
    const all = section.children.filter((row) => isElement(row));
    for (const [index, row] of all.entries()) tidyRow(row, head || isHeading(row), all.length - index);
  }
  return contained(table, parent);
}

function tidySection(section: Element): Element {
  if (section.name !== 'caption') section.children = section.children.filter((row) => isElement(row, 'tr'));
  return section;
}

function inOrder(sections: Element[]): Element[] {
  const caption = sections.filter(({ name }) => name === 'caption');
  const rest = sections.filter(({ name }) => name !== 'caption');
  const foot = rest.find(({ name }) => name === 'tfoot');
  rest.forEach((section, index) => {
    if (section === foot || (section.name === 'thead' && index === 0)) return;
    section.name = 'tbody';
  });
  return [...caption, ...rest.filter((section) => section !== foot), ...(foot ? [foot] : [])];
}

function isHeading(row: Element): boolean {
  return row.children.every((cell) => !isElement(cell, 'td'));
}

function tidyRow(row: Element, head: boolean, rowsLeft: number): void {
  row.children = row.children.filter((cell) => isElement(cell));
  if (row.children.length === 0) row.children.push(element('td'));
  for (const cell of row.children) {
    if (!isElement(cell)) continue;
    // A cell that extends below the last row is an error.
    const spanned = Math.min(Number(cell.attributes.rowspan ?? 1), rowsLeft);
    if (spanned > 1) cell.attributes.rowspan = String(spanned);
    else delete cell.attributes.rowspan;
    if (cell.name !== 'th') continue;
    // A header without text is no header.
    if (cell.children.every(isBlank)) cell.name = 'td';
    else cell.attributes.scope = head ? 'col' : 'row';
  }
}

/** Puts the table in a container that scrolls, also by keyboard, so that a wide table does not make the page wider. */
function contained(table: Element, parent: Element): Node[] {
  const caption = table.children.find((child) => isElement(child, 'caption'));
  const label = caption ? textOf([caption]).slice(0, 120) : '';
  const attributes = { class: 'table-scroll', role: 'group', tabindex: '0', 'aria-label': label || 'Table' };
  // A body that was rendered before already has the container.
  const isContained = hasClass(parent, 'table-scroll') && isAlone(table, parent);
  if (!isContained) return [element('div', attributes, [table])];
  removeClass(parent.attributes, 'table-scroll');
  addClass(parent.attributes, 'table-scroll');
  Object.assign(parent.attributes, { role: 'group', tabindex: '0', 'aria-label': label || 'Table' });
  return [table];
}

function isAlone(child: Element, parent: Element): boolean {
  return parent.children.every((node) => node === child || isBlank(node));
}
