import { escapeHtml } from '../../../html.ts';

/** Returns HTML for a text with `code` in backticks. */
export function inline(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** Returns a block of code with a copy button, in which strings, names and comments are highlighted. */
export function code(text: string, name: string, language = ''): string {
  const attribute = language && ` data-language="${language}"`;
  return codeBlock(text, name, ` data-copy="${escapeHtml(name)}"${attribute}`);
}

function codeBlock(text: string, name: string, attributes: string): string {
  const label = escapeHtml(name);
  return `<div class="code"${attributes}><pre tabindex="0" role="group" aria-label="${label}"><code>${highlight(text)}</code></pre></div>`;
}

/** Returns a block of JSON without a copy button. */
export function json(value: unknown, name: string): string {
  // Small arrays and objects read better on one line.
  const text = JSON.stringify(value, null, 2).replace(/\[\s+("[^"\n]*",)\s+("[^"\n]*")\s+\]/g, '[$1 $2]');
  return codeBlock(text, name, '');
}

/** Returns a block of plain text without a copy button. */
export function plain(text: string, name: string): string {
  return codeBlock(text, name, '');
}

/** Returns a table whose rows become blocks on narrow screens. The roles keep it a table for screen readers. */
export function table(label: string, heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((text) => `<th role="columnheader" scope="col">${text}</th>`).join('');
  const body = rows.map(([first, ...cells]) => {
    const rest = cells.map((cell, index) => `<td role="cell" data-head="${heads[index + 1]}">${cell}</td>`).join('');
    return `<tr role="row"><th role="rowheader" scope="row">${first}</th>${rest}</tr>`;
  });
  return `<table role="table" aria-label="${escapeHtml(label)}" class="columns-${heads.length}">
<thead role="rowgroup"><tr role="row">${head}</tr></thead>
<tbody role="rowgroup">${body.join('\n')}</tbody>
</table>`;
}

/**
 * Returns HTML for a field name like `customer[account_name]`, which may be wrapped before its bracket and after
 * underscores.
 */
export function fieldName(name: string): string {
  return `<code>${escapeHtml(name).replaceAll('[', '<wbr>[').replaceAll('_', '_<wbr>')}</code>`;
}

const token = /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')(\s*(?::|=>))?|((?:^|(?<=\s))(?:#|\/\/).*$)/gm;

function highlight(text: string): string {
  let result = '';
  let end = 0;
  for (const match of text.matchAll(token)) {
    const [all, string, colon = '', comment] = match;
    result += escapeHtml(text.slice(end, match.index));
    if (comment) result += `<span class="comment">${escapeHtml(comment)}</span>`;
    else result += `<span class="${colon ? 'name' : 'string'}">${escapeHtml(string!)}</span>${escapeHtml(colon)}`;
    end = match.index + all.length;
  }
  return result + escapeHtml(text.slice(end));
}
