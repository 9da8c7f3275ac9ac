import type { Command } from '@tiptap/core';

/** Marks a table whose first row is its head, in the editor's own HTML only. Saved bodies never have it. */
export const HEAD = 'data-head';

/** Moves the first row of marked tables into a `thead`, as long as it is a row of headers. */
export function withHeads(holder: Element): void {
  for (const table of holder.querySelectorAll<HTMLTableElement>(`table[${HEAD}]`)) {
    table.removeAttribute(HEAD);
    const body = table.tBodies[0];
    const first = body?.rows[0];
    if (!first || !isHead(first)) continue;
    table.createTHead().append(first);
    if (body.rows.length === 0) body.remove();
  }
}

/** True for a row of headers. Cells that are no headers must be empty, like the corner above a column of names. */
export function isHead({ cells }: HTMLTableRowElement): boolean {
  const headers = [...cells].filter(({ localName }) => localName === 'th');
  const others = [...cells].filter(({ localName }) => localName !== 'th');
  return headers.length > 0 && others.every(({ textContent }) => textContent.trim() === '');
}

/** Makes the first row of the table at the cursor its head. In an existing table, gives `scope` only to added header cells. */
export function headTable(isNew: boolean): Command {
  return ({ tr }) => {
    const { $from } = tr.selection;
    let depth = $from.depth;
    while (depth > 0 && $from.node(depth).type.name !== 'table') depth--;
    if (depth === 0) return false;
    const headers: { at: number; scope: unknown }[] = [];
    $from.node(depth).firstChild!.forEach(({ type, attrs }, offset) => {
      if (type.name === 'tableHeader') headers.push({ at: $from.start(depth) + 1 + offset, scope: attrs.scope });
    });
    // A table without scopes was not made by this editor.
    if (!isNew && !headers.some(({ scope }) => scope === 'col')) return true;
    if (isNew) tr.setNodeAttribute($from.before(depth), 'hasHead', true);
    for (const { at } of headers) tr.setNodeAttribute(at, 'scope', 'col');
    return true;
  };
}
