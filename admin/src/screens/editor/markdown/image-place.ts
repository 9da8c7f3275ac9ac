import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { ChangeSet, ChangeSpec, EditorSelection, EditorState } from '@codemirror/state';
import type { Tree } from '../images/written-images.ts';

const LEAF = /^(?:Paragraph|Task|(?:ATX|Setext)Heading\d|HorizontalRule|LinkReference|Table|FencedCode|\w+Block)$/;
/** Blocks that an image splits into two blocks of the same kind. */
const DIVISIBLE = /^(?:Paragraph|Task|ATXHeading)/;
/** Blocks that can contain an image without being split. */
const CONTAINS_LINES = /^(?:Table|FencedCode|\w+Block)$/;

const PARSE_TIMEOUT_MS = 100;

interface Insertion {
  readonly changes: ChangeSet;
  readonly selection: EditorSelection;
}

/** Inserts images within the line. */
export function insertInLine(state: EditorState, at: number, images: readonly string[]): Insertion {
  return insertion(state, { from: at, insert: images.join('\n\n') });
}

/**
 * Inserts images into Markdown as paragraphs of their own, splitting the text if necessary. They stay inside a list or
 * quotation. In code, HTML and tables they stay within the line. A cursor at the position moves to a new paragraph after
 * them.
 */
export function insertInMarkdown(state: EditorState, at: number, images: readonly string[]): Insertion {
  return insertion(state, changesFor(state, at, images));
}

/** Returns the nearer end of the block at the position, because dropped files go between blocks. */
export function placeForFiles(state: EditorState, at: number): number {
  const block = blockAt(state, at);
  if (!block || CONTAINS_LINES.test(block.name)) return at;
  return at - block.from < block.to - at && block.name !== 'Task' ? block.from : block.to;
}

function insertion(state: EditorState, spec: ChangeSpec): Insertion {
  const changes = state.changes(spec);
  return { changes, selection: state.selection.map(changes, 1) };
}

function changesFor(state: EditorState, at: number, images: readonly string[]): ChangeSpec {
  const { doc, selection } = state;
  const isCursorHere = selection.main.empty && selection.main.head === at;
  const block = blockAt(state, at);
  const line = doc.lineAt(at);
  const isBlank = (from: number, to: number) => doc.sliceString(from, to).trim() === '';
  const isTextAt = (number: number) => number >= 1 && number <= doc.lines && doc.line(number).text.trim() !== '';
  if (!block) {
    // The position is in no block: an empty line, or an empty list item or quotation.
    if (line.text.trim() !== '') return { from: at, insert: images.join('\n\n') };
    const before = isTextAt(line.number - 1) ? '\n' : '';
    const behind = isCursorHere ? '\n\n' : isTextAt(line.number + 1) ? '\n' : '';
    return { from: at, insert: `${before}${images.join('\n\n')}${behind}` };
  }
  const isInside = block.from < at && at < block.to;
  if (isInside && CONTAINS_LINES.test(block.name)) return { from: at, insert: images.join('\n\n') };
  const isAfterTaskBox = block.name === 'Task' && isBlank(block.from + '[ ]'.length, at);
  if ((isInside && !DIVISIBLE.test(block.name)) || isAfterTaskBox) return changesFor(state, block.to, images);

  const prefix = continuationPrefix(state, block.from);
  const blankLine = `\n${prefix.trimEnd()}`;
  const newLine = `\n${prefix}`;
  const isTopLevel = prefix === '';
  let before = '';
  const isLineBegun = doc.sliceString(Math.max(block.from, line.from), at).replace(/[>\s]/g, '') !== '';
  if (!isBlank(block.from, at)) before = isLineBegun ? blankLine + newLine : newLine;
  else if (isTopLevel && isTextAt(line.number - 1)) before = '\n';
  let behind = '';
  if (!isBlank(at, block.to)) behind = isBlank(at, line.to) ? blankLine : blankLine + newLine;
  else if (isCursorHere) behind = blankLine + newLine;
  else if (isTopLevel && isTextAt(line.number + 1)) behind = '\n';
  // The second part must not begin with spaces.
  const spaces = isBlank(at, line.to) ? 0 : /^ */.exec(doc.sliceString(at, line.to))![0].length;
  return [
    { from: at, insert: `${before}${images.join(blankLine + newLine)}${behind}` },
    { from: at, to: at + spaces },
  ];
}

/** Returns the innermost block that the position is in or at the end of. */
function blockAt(state: EditorState, at: number): Tree | undefined {
  // A long text may not have been parsed this far yet.
  const tree = ensureSyntaxTree(state, at, PARSE_TIMEOUT_MS) ?? syntaxTree(state);
  const { from, text } = state.doc.lineAt(at);
  const [before, behind] = [text.slice(0, at - from), text.slice(at - from)];
  const sides = [
    [at - (before.length - before.trimEnd().length), -1],
    [at + (behind.length - behind.trimStart().length), 1],
  ] as const;
  for (const [place, side] of sides) {
    for (let node = tree.resolveInner(place, side); node.parent; node = node.parent) {
      if (LEAF.test(node.name)) return node;
    }
  }
  return undefined;
}

/** Returns the prefix of continuation lines in the list or quotation that contains the block. */
function continuationPrefix({ doc }: EditorState, blockFrom: number): string {
  const { from, text } = doc.lineAt(blockFrom);
  return text.slice(0, blockFrom - from).replace(/[^>\s]/g, ' ');
}
