import { filled } from './attack.ts';

export interface HostileBody {
  readonly name: string;
  readonly format: 'markdown_format' | 'wysiwyg_format';
  readonly make: (bytes: number) => string;
}

/** Bodies of pages whose rendering might cost more than their length suggests. */
export const hostileBodies: readonly HostileBody[] = [
  html('addresses with white space behind them', (bytes) => `<a href="x${' '.repeat(bytes)}y">x</a>`),
  html('many addresses with white space', (bytes) => filled(`<a href="x${' '.repeat(990)}">x</a>`, bytes)),
  html('srcset of commas', (bytes) => `<img srcset="${','.repeat(bytes)}">`),
  html('srcset of candidates', (bytes) => `<img srcset="${filled('a 1w, ', bytes)}">`),
  html('one long link', (bytes) => `<a href="https://example.com/${'a'.repeat(bytes)}">x</a>`),
  html('deep nesting', (bytes) => '<div>'.repeat(bytes / 5)),
  html('deep formatting', (bytes) => '<b><i>'.repeat(bytes / 6)),
  html('mismatched formatting', (bytes) => filled('<b><p></b>', bytes)),
  html('tables', (bytes) => '<table><td>'.repeat(bytes / 11)),
  html('attributes', (bytes) => `<p ${Array.from({ length: bytes / 10 }, (_, index) => `a${index}=1`).join(' ')}>`),
  html('headings', (bytes) => filled('<h2>a</h2>', bytes)),
  html('images', (bytes) => filled('<img src=/media/a.webp>', bytes)),
  html('less-than signs', (bytes) => '<'.repeat(bytes)),
  html('ampersands', (bytes) => '&'.repeat(bytes)),
  html('comments', (bytes) => filled('<!--', bytes)),
  html('styles', (bytes) => `<p style="${filled('color:red;', bytes)}">x`),
  html('classes', (bytes) => `<p class="${filled('a ', bytes)}">x`),
  markdown('deep quotes', (bytes) => '>'.repeat(bytes)),
  markdown('deep lists', (bytes) => '- '.repeat(bytes / 2)),
  markdown('brackets', (bytes) => '['.repeat(bytes)),
  markdown('images in images', (bytes) => '!['.repeat(bytes / 2)),
  markdown('links that do not end', (bytes) => filled('[a](b', bytes)),
  markdown('backticks', (bytes) => Array.from({ length: Math.sqrt(bytes * 2) }, (_, n) => '`'.repeat(n)).join(' ')),
  markdown('emphasis', (bytes) => filled('*a **b _', bytes)),
  markdown('tildes', (bytes) => filled('~~a ', bytes)),
  markdown('footnotes', (bytes) => footnotes(bytes / 24)),
  markdown('one footnote, often', (bytes) => `[^1]: x\n\n${filled('[^1] ', bytes)}`),
  markdown('references', (bytes) => Array.from({ length: bytes / 12 }, (_, n) => `[a${n}]: b\n`).join('')),
  markdown('tables', (bytes) => `${'|a'.repeat(bytes / 4)}|\n${'|-'.repeat(bytes / 4)}|\n`),
  markdown('table rows', (bytes) => `|${'a|'.repeat(100)}\n|${'-|'.repeat(100)}\n${filled('|\n', bytes)}`),
  markdown('angle brackets', (bytes) => filled('<a ', bytes)),
  markdown('bare addresses', (bytes) => filled('www.a.b ', bytes)),
  markdown('mail addresses', (bytes) => filled('a.', bytes)),
  markdown('entities', (bytes) => filled('&#', bytes)),
  markdown('escapes', (bytes) => filled('\\', bytes)),
  markdown('line ends', (bytes) => '\n'.repeat(bytes)),
  markdown('underlined lines', (bytes) => filled('a\n=\n', bytes)),
];

function html(name: string, make: HostileBody['make']): HostileBody {
  return { name: `HTML of ${name}`, format: 'wysiwyg_format', make };
}

function markdown(name: string, make: HostileBody['make']): HostileBody {
  return { name: `Markdown of ${name}`, format: 'markdown_format', make };
}

function footnotes(count: number): string {
  const numbers = Array.from({ length: count }, (_, index) => index);
  return `${numbers.map((n) => `[^${n}]`).join('')}\n\n${numbers.map((n) => `[^${n}]: a\n`).join('')}`;
}
