import { Extension, Mark, mergeAttributes } from '@tiptap/core';
import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table';
import { StarterKit } from '@tiptap/starter-kit';
import { embedBox } from '../embeds/embed-box.ts';
import { OwnClipboard } from './clipboard.ts';
import { Embed } from './embeds.ts';
import { Figcaption, Figure, figureBox } from './figures.ts';
import { FileDrop } from './file-drop.ts';
import { FootnoteNumber, Footnotes, footnoteNumber } from './footnotes.ts';
import { HtmlBlock, htmlBox } from './html-block.ts';
import { imageBox, SizedImage } from './images.ts';
import { InlineHtml } from './inline-html.ts';
import { LinkSync } from './link-sync.ts';
import { STYLE } from './styles.ts';
import { HEAD } from './tables.ts';
import { TaskBox, TaskKeys, taskBox } from './tasks.ts';
import { TextAfterImage } from './text-after-image.ts';
import { ImageUploads } from './uploads.ts';

/* The schema of the visual editor. A block that does not fit becomes an HTML block: see body/read-body.ts. */

const KEPT_ATTRIBUTES = ['class', 'id', 'style', 'dir', 'lang', 'align', 'title'];
const marks = ['bold', 'italic', 'strike', 'underline', 'code', 'sup', 'sub'];
const topBlocks = ['paragraph', 'heading', 'blockquote', 'bulletList', 'orderedList', 'codeBlock', 'horizontalRule'];
const hidden = { default: null, rendered: false, keepOnSplit: false, parseHTML: () => null };

/** Preserves attributes that existing pages have, but the editor does not edit. */
const KeptAttributes = Extension.create({
  name: 'keptAttributes',
  addGlobalAttributes() {
    const attributesOf = (names: readonly string[]) =>
      Object.fromEntries(names.map((name) => [name, keptAttribute(name)]));
    return [
      {
        types: [
          ...[...topBlocks, ...marks, 'listItem'],
          ...['table', 'tableRow', 'tableCell', 'tableHeader', 'image', 'figure', 'figcaption', 'embed', 'taskBox'],
        ],
        attributes: attributesOf(KEPT_ATTRIBUTES),
      },
      // Presentational attributes from before style sheets.
      { types: ['table'], attributes: attributesOf(['border', 'cellpadding', 'cellspacing', 'width', 'summary']) },
      { types: ['tableCell', 'tableHeader'], attributes: attributesOf(['width', 'height', 'valign', 'nowrap']) },
      { types: ['link'], attributes: attributesOf(['id', 'style', 'dir', 'lang', 'name', 'aria-label']) },
      // The invisible source around a block, such as comments: see body/split-blocks.ts.
      {
        types: [...topBlocks, 'table', 'figure', 'embed', 'footnotes', 'htmlBlock'],
        attributes: { lead: hidden, trail: hidden },
      },
    ];
  },
});

function keptAttribute(name: string) {
  return {
    default: null,
    parseHTML: (element: HTMLElement) => element.getAttribute(name),
    renderHTML: ({ [name]: value }: Record<string, unknown>) => ({
      ...(value !== null && { [name]: value }),
      ...(name === 'style' && value !== null && { [STYLE]: value }),
    }),
    keepOnSplit: false,
  };
}

/**
 * The node views for the editor's `nodeViews` property, in addition to those of the extensions: Tiptap reads sometimes one
 * and sometimes the other, and images would be broken at times with only one of them.
 */
export const visualNodeViews = {
  embed: embedBox,
  figure: figureBox,
  footnoteNumber,
  htmlBlock: htmlBox,
  image: imageBox,
  taskBox,
};

/** Superscript and subscript, as in m² and H₂O. The editor cannot set them, but preserves them. */
const scriptMark = (name: 'sup' | 'sub') =>
  Mark.create({ name, parseHTML: () => [{ tag: name }], renderHTML: () => [name, 0] });

/** The library's table, but without column widths. Its schema has only rows: `withHeads` restores the `thead`. */
const PlainTable = Table.extend({
  addAttributes: () => ({
    hasHead: {
      default: false,
      parseHTML: (table: HTMLTableElement) => table.tHead !== null || table.hasAttribute(HEAD),
      renderHTML: ({ hasHead }: Record<string, unknown>) => (hasHead ? { [HEAD]: '' } : {}),
    },
  }),
  renderHTML: ({ HTMLAttributes }) => ['table', mergeAttributes(HTMLAttributes), ['tbody', 0]],
});

/** Reads spans by their DOM properties, which browsers cap: the editor keeps an entry for each cell that a span covers. */
const span = (name: 'colspan' | 'rowspan', property: 'colSpan' | 'rowSpan') => ({
  default: 1,
  parseHTML: (cell: HTMLElement) => (cell as HTMLTableCellElement)[property] || 1,
  renderHTML: (values: Record<string, unknown>) => (values[name] === 1 ? {} : { [name]: values[name] }),
});

/** Keeps the cell's size attributes, but no column widths. */
const cellAttributes = () => ({
  colspan: span('colspan', 'colSpan'),
  rowspan: span('rowspan', 'rowSpan'),
  scope: { default: null },
  colwidth: { default: null, rendered: false },
});

/** Keeps Ctrl or ⌘ + Enter for publishing. The library would insert a line break. */
const PublishKey = Extension.create({
  name: 'publishKey',
  priority: 1000,
  addKeyboardShortcuts: () => ({ 'Mod-Enter': () => true }),
});

/** Makes only elements mark text. The library also reads inline styles, which would duplicate kept `style` attributes. */
const tags = (...names: string[]) => ({ parseHTML: () => names.map((tag) => ({ tag })) });

const kitChanges: Readonly<Record<string, object>> = {
  bold: tags('strong', 'b'),
  italic: tags('em', 'i'),
  strike: tags('s', 'del', 'strike'),
  underline: tags('u'),
  // A link may contain code.
  code: { excludes: 'code' },
  // Text typed directly after a link, such as a full stop, does not become part of it.
  link: { inclusive: false },
  // HTML blocks only at the top level: inside other blocks, their HTML could not be told from its surroundings.
  doc: { content: '(block | htmlBlock)+' },
};

const OwnKit = StarterKit.extend({
  addExtensions() {
    const all = this.parent?.() ?? [];
    return all.map((one) => (one.name in kitChanges ? (one as Mark).extend(kitChanges[one.name]) : one));
  },
});

export const visualExtensions = [
  OwnKit.configure({
    // An added paragraph would count as a change.
    trailingNode: false,
    dropcursor: { color: 'var(--mantine-primary-color-filled)', width: 2 },
    link: {
      openOnClick: false,
      autolink: true,
      defaultProtocol: 'https',
      HTMLAttributes: { target: null, rel: null, class: null },
    },
    codeBlock: { languageClassPrefix: 'language-' },
  }),
  LinkSync,
  KeptAttributes,
  OwnClipboard,
  PlainTable.configure({ resizable: false }),
  TableRow,
  TableCell.extend({ addAttributes: cellAttributes }),
  TableHeader.extend({ addAttributes: cellAttributes }),
  SizedImage,
  Figure,
  Figcaption,
  Embed,
  HtmlBlock,
  InlineHtml,
  TaskBox,
  TaskKeys,
  FootnoteNumber,
  Footnotes,
  scriptMark('sup'),
  scriptMark('sub'),
  ImageUploads,
  TextAfterImage,
  FileDrop,
  PublishKey,
];
