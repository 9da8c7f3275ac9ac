/** In the editor's own HTML, on a table whose first row is its head. Nothing that is kept has it. */
export const HEAD = 'data-head';

/** Puts the first row into a `thead` where the table had one, for as long as it is a row of headers. */
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

/** Cells that head nothing are empty: the corner above a column of names. */
export function isHead({ cells }: HTMLTableRowElement): boolean {
  const headers = [...cells].filter(({ localName }) => localName === 'th');
  const others = [...cells].filter(({ localName }) => localName !== 'th');
  return headers.length > 0 && others.every(({ textContent }) => textContent.trim() === '');
}
