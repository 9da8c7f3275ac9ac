import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import { type ChangeSpec, EditorSelection, type EditorState, type Line, type StateCommand } from '@codemirror/state';

/** Matches the sign that makes a line a heading, a list item or a quotation. */
const LINE_PREFIX = /^(?:#{1,6} |(?:[-*+]|\d+\.) (?:\[[ xX]\] )?|> )/;

/** Matches other spellings of a line's prefix. A task is not an item of a plain list. */
const PREFIX_PATTERNS: Readonly<Record<string, RegExp>> = {
  '- ': /^- (?!\[[ xX]\] )/,
  '1. ': /^\d+\. /,
  '- [ ] ': /^[-*+] \[[ xX]\] /,
};

interface TextRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Puts the mark around the selection, or removes it if it is around the selection or at its ends. Marks cannot span
 * paragraphs, so each selected line gets its own.
 */
export function toggleAround(mark: string): StateCommand {
  return ({ state, dispatch }) => {
    const change = state.changeByRange((range) => {
      const parts = range.empty ? [range] : linesOf(state, range).flatMap((line) => textOf(line, range));
      const found = parts.map((part) => findMarks(state, part, mark));
      const isOn = found.every((marks) => marks !== undefined);
      const specs = parts.flatMap(({ from, to }, index): ChangeSpec[] => {
        const marks = found[index];
        if (!isOn) return marks ? [] : [from, to].map((at) => ({ from: at, insert: mark }));
        return [marks!.from, marks!.to].map((at) => ({ from: at, to: at + mark.length }));
      });
      const changes = state.changes(specs);
      // A collapsed cursor goes between the two marks. Position mapping cannot express that: both are inserted at one
      // position.
      if (range.empty) {
        return { changes, range: EditorSelection.cursor(range.from + (isOn ? -mark.length : mark.length)) };
      }
      // Selects a single part without its marks, but several parts with theirs. Either way, the same command removes them
      // again.
      const [{ from, to }, side] = parts.length === 1 ? [parts[0]!, 1] : [range, -1];
      const ends = [changes.mapPos(from, side), changes.mapPos(to, -side)] as const;
      return {
        changes,
        range: range.head < range.anchor ? EditorSelection.range(ends[1], ends[0]) : EditorSelection.range(...ends),
      };
    });
    dispatch(state.update(change, { userEvent: 'input', scrollIntoView: true }));
    return true;
  };
}

/**
 * Returns the part of the line within the range, without the line's sign and outer spaces: marks beside a space have no
 * effect.
 */
function textOf({ from: start, text }: Line, range: TextRange): TextRange[] {
  const sign = LINE_PREFIX.exec(text)?.[0].length ?? 0;
  const from = Math.max(range.from - start, sign);
  const piece = text.slice(from, Math.max(from, range.to - start));
  if (piece.trim() === '') return [];
  const begin = start + from + piece.length - piece.trimStart().length;
  return [{ from: begin, to: begin + piece.trim().length }];
}

/** Returns the start positions of the marks around the part or at its own ends, or undefined if it has none. */
function findMarks(state: EditorState, { from, to }: TextRange, mark: string): TextRange | undefined {
  const text = state.sliceDoc(from, to);
  const inner = text.slice(mark.length, -mark.length);
  if (inner !== '' && !inner.includes(mark) && hasMark(text, mark) && hasMark(reversed(text), mark)) {
    return { from, to: to - mark.length };
  }
  const [first, last] = [state.doc.lineAt(from), state.doc.lineAt(to)];
  const before = reversed(first.text.slice(0, from - first.from));
  const after = last.text.slice(to - last.from);
  return hasMark(before, mark) && hasMark(after, mark) ? { from: from - mark.length, to } : undefined;
}

/** True if the text begins with the mark. Two asterisks are only bold; three are bold and italic. */
function hasMark(text: string, mark: string): boolean {
  if (mark !== '*') return text.startsWith(mark);
  return /^\**/.exec(text)![0].length % 2 === 1;
}

function reversed(text: string): string {
  return [...text].reverse().join('');
}

/** Returns the lines that the range covers, except a last line of which it covers nothing. */
function linesOf({ doc }: EditorState, { from, to }: TextRange): Line[] {
  const first = doc.lineAt(from).number;
  const end = doc.lineAt(to);
  const last = end.number > first && end.from === to ? end.number - 1 : end.number;
  return Array.from({ length: last - first + 1 }, (_, index) => doc.line(first + index));
}

/** Gives every selected line the prefix, or removes it if all lines have it. `1. ` counts up; `- [ ] ` is an open task. */
export function toggleLines(prefix: string): StateCommand {
  return ({ state, dispatch }) => {
    const selected = linesOf(state, state.selection.main);
    // Blank lines become no headings or list items, but quotations continue across them.
    const written = selected.filter(({ text }) => prefix === '> ' || text.trim() !== '');
    const lines = written.length === 0 ? selected : written;
    const isNumbered = prefix === '1. ';
    const own = PREFIX_PATTERNS[prefix] ?? new RegExp(`^${prefix}`);
    const all = lines.every(({ text }) => own.test(text));
    const changes = state.changes(
      lines.map((line, index) => {
        if (all) return { from: line.from, to: line.from + own.exec(line.text)![0].length };
        // A line has only one sign: another heading level or kind of list is replaced.
        const other = LINE_PREFIX.exec(line.text)?.[0].length ?? 0;
        return { from: line.from, to: line.from + other, insert: isNumbered ? `${index + 1}. ` : prefix };
      }),
    );
    // Keeps the cursor after the prefix, where the user goes on writing.
    const selection = state.selection.map(changes, 1);
    dispatch(state.update({ changes, selection, userEvent: 'input', scrollIntoView: true }));
    return true;
  };
}

/** Makes the selected lines a code block, or removes the fences of the block that they are in. */
export const toggleCodeBlock: StateCommand = ({ state, dispatch }) => {
  const { anchor, head } = state.selection.main;
  const block = findCodeBlock(state);
  if (block) {
    dispatch(state.update({ changes: withoutFences(state, block), userEvent: 'input', scrollIntoView: true }));
    return true;
  }
  const lines = linesOf(state, state.selection.main);
  const [from, to] = [lines[0]!.from, lines.at(-1)!.to];
  // The fence must be longer than any inside, which would end the block.
  const longest = Math.max(2, ...lines.map(({ text }) => /^\s*(`*)/.exec(text)![1]!.length));
  const fence = '`'.repeat(longest + 1);
  dispatch(
    state.update({
      changes: [
        { from, insert: `${fence}\n` },
        { from: to, insert: `\n${fence}` },
      ],
      selection: { anchor: Math.min(anchor, to) + fence.length + 1, head: Math.min(head, to) + fence.length + 1 },
      userEvent: 'input',
      scrollIntoView: true,
    }),
  );
  return true;
};

/** Returns the fenced code block that contains the whole selection. */
function findCodeBlock(state: EditorState): TextRange | undefined {
  const { from, to } = state.selection.main;
  // A long text may not have been parsed this far yet.
  const tree = ensureSyntaxTree(state, to, 100) ?? syntaxTree(state);
  for (const side of [1, -1] as const) {
    for (let node = tree.resolveInner(from, side); node.parent; node = node.parent) {
      if (node.name === 'FencedCode' && node.to >= to) return node;
    }
  }
  return undefined;
}

function withoutFences({ doc }: EditorState, { from, to }: TextRange): ChangeSpec[] {
  const [first, last] = [doc.lineAt(from), doc.lineAt(to)];
  // The last block may not be closed yet.
  const isClosed = last.number > first.number && /^\s*(?:`{3,}|~{3,})\s*$/.test(last.text);
  const end = isClosed ? last.from : last.to;
  const begin = Math.min(first.to + 1, last.to);
  return [{ from: first.from, to: begin }, ...(isClosed ? [{ from: Math.max(begin, end - 1), to: last.to }] : [])];
}

/** Replaces the selection by a text in a block of its own, and puts the cursor after it. */
export function insertBlock(text: string): StateCommand {
  return ({ state, dispatch }) => {
    const { from, to } = state.selection.main;
    const line = state.doc.lineAt(from);
    const isBelowText = line.number > 1 && state.doc.line(line.number - 1).text.trim() !== '';
    // Without blank lines, Markdown would join the block with the text above or below.
    const before = line.from < from ? '\n\n' : isBelowText ? '\n' : '';
    const insert = `${before}${text}\n\n`;
    dispatch(
      state.update({
        changes: { from, to, insert },
        selection: { anchor: from + insert.length },
        userEvent: 'input',
        scrollIntoView: true,
      }),
    );
    return true;
  };
}
