import { loadPart } from '../../../load-part.ts';
import { parseHtml } from '../../../parts/parse-html.ts';
import { markdownImage } from '../images/image-markup.ts';
import { isHead } from '../visual/tables.ts';

/** Converts HTML to Markdown, as closely as Markdown can express it. Everything else stays HTML. */
export async function toMarkdown(html: string): Promise<string> {
  const { default: Turndown } = await loadPart(() => import('turndown'));
  const notes = notesOf(html);
  const service = new Turndown({
    headingStyle: 'atx',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
  });
  const convert = (part: string) => service.turndown(parseHtml(part));
  const { escape: escaped } = service;
  service.escape = (text) => escaped(text).replaceAll('~~', '\\~\\~');
  service.keep(['iframe', 'sub', 'sup']);
  service.keep((node) => node.nodeName === 'FIGURE' && node.querySelector('img') !== null);
  service.addRule('struck', {
    filter: (node) => /^(?:S|DEL|STRIKE)$/.test(node.nodeName),
    // Markdown cannot strike through several paragraphs at once: the signs would be read as text.
    replacement: (content) => (content.includes('\n\n') ? content : `~~${content}~~`),
  });
  service.addRule('task', {
    filter: (node) => node.matches('li > input[type="checkbox"]:first-child, li > p:first-child > input:first-child'),
    replacement: (_content, box) =>
      `[${box.hasAttribute('checked') ? 'x' : ' '}]${/^\s/.test(box.nextSibling?.textContent ?? '') ? '' : ' '}`,
  });
  service.addRule('table', {
    filter: 'table',
    replacement: (_content, node) => {
      const table = node as HTMLTableElement;
      return `\n\n${tableOf(table, convert) ?? table.outerHTML}\n\n`;
    },
  });
  service.addRule('decoration', {
    filter: (node) => node.nodeName === 'IMG' && node.getAttribute('alt') === '' && node.hasAttribute('src'),
    replacement: (_content, image) => markdownImage({ src: (image as Element).getAttribute('src')!, alt: '' }),
  });
  if (notes.size > 0) {
    service.addRule('footnote number', {
      filter: (node) => node.matches('sup.footnote-ref'),
      replacement: (_content, sup) => `[^${notes.get(targetIn(sup as Element))}]`,
    });
    service.addRule('footnote backlink', {
      filter: (node) => node.matches('a.footnote-backref'),
      replacement: () => '',
    });
    service.addRule('line above footnotes', {
      filter: (node) => node.matches('hr.footnotes-sep'),
      replacement: () => '',
    });
    service.addRule('footnotes', {
      filter: (node) => node.matches('.footnotes'),
      replacement: (_content, box) => {
        const texts = [...(box as Element).querySelectorAll(NOTE)].map((note) => {
          const text = convert(note.innerHTML).trim();
          // Markdown continues a footnote only on indented lines.
          return `[^${notes.get(`#${note.id}`)}]: ${text.replaceAll(/\n(?=[^\n])/g, '\n    ')}`;
        });
        return `\n\n${texts.join('\n')}\n\n`;
      },
    });
  }
  return `${convert(html)}\n`;
}

// Matches the footnotes of the sites' renderer, with any id prefix.
const NOTE = ':scope > ol > li[id]';

function targetIn(sup: Element): string {
  return sup.querySelector('a')?.getAttribute('href') ?? '';
}

/** Returns the number of each footnote by the href of its links. Empty if some notes have no link or some links no note. */
function notesOf(html: string): ReadonlyMap<string, number> {
  const body = parseHtml(html);
  const boxes = body.querySelectorAll('.footnotes');
  const items = boxes.length === 1 ? [...boxes[0]!.querySelectorAll(':scope > ol > li')] : [];
  const notes = new Map(items.map(({ id }, index) => [`#${id}`, index + 1]));
  const targets = new Set([...body.querySelectorAll('sup.footnote-ref')].map(targetIn));
  const isWhole = notes.size === items.length && notes.size === targets.size;
  return isWhole && [...targets].every((target) => notes.has(target)) ? notes : new Map();
}

/** Matches what a Markdown table cannot hold: it has one header row, and cells of one line and one text each. */
const NOT_IN_MARKDOWN_TABLES = [
  ...['caption', 'colgroup', 'tfoot', 'tbody ~ tbody', 'tr ~ tr th', 'thead ~ tbody th', 'thead tr ~ tr', 'table'],
  ...['div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'dl', 'blockquote', 'pre', 'hr'],
].join();

const DELIMITERS: Readonly<Record<string, string>> = {
  '': '---',
  'align-left': ':--',
  'align-center': ':-:',
  'align-right': '--:',
};

/** Returns the table in Markdown, or undefined if the conversion would lose something. */
function tableOf(table: HTMLTableElement, convert: (html: string) => string): string | undefined {
  const rows = [...table.rows].map((row) => [...row.cells]);
  const delimiters = rows[0]?.map(({ className }) => DELIMITERS[className]);
  if (!delimiters || !isHead(table.rows[0]!) || table.querySelector(NOT_IN_MARKDOWN_TABLES)) return undefined;
  const parts = [table, ...table.querySelectorAll('thead, tbody, tr, th, td')];
  if (parts.some((part) => [...part.attributes].some(({ name }) => !/^(?:scope|class)$/.test(name)))) return undefined;
  if (parts.some((part) => part.className !== '' && !/^t[hd]$/.test(part.localName))) return undefined;
  // Markdown aligns whole columns.
  const isRegular = rows.every(
    (cells) =>
      cells.length === delimiters.length &&
      cells.every(({ className }, at) => DELIMITERS[className] === delimiters[at]),
  );
  if (!isRegular || delimiters.includes(undefined)) return undefined;
  const texts = rows.map((cells) => cells.map((cell) => convert(cell.innerHTML).replaceAll('|', '\\|')));
  if (texts.flat().some((text) => text.includes('\n'))) return undefined;
  const [head, ...others] = texts.map(tableRow);
  return [head, tableRow(delimiters as string[]), ...others].join('\n');
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
