import { EditorSelection, type StateCommand } from '@codemirror/state';

/** Puts the marks around the selection, or takes them away where they are there already. */
export function toggleAround(mark: string): StateCommand {
  return ({ state, dispatch }) => {
    const change = state.changeByRange((range) => {
      const before = state.sliceDoc(range.from - mark.length, range.from);
      const after = state.sliceDoc(range.to, range.to + mark.length);
      if (before === mark && after === mark) {
        return {
          changes: [
            { from: range.from - mark.length, to: range.from },
            { from: range.to, to: range.to + mark.length },
          ],
          range: EditorSelection.range(range.from - mark.length, range.to - mark.length),
        };
      }
      return {
        changes: [
          { from: range.from, insert: mark },
          { from: range.to, insert: mark },
        ],
        range: EditorSelection.range(range.from + mark.length, range.to + mark.length),
      };
    });
    dispatch(state.update(change, { userEvent: 'input', scrollIntoView: true }));
    return true;
  };
}

/** Gives every line of the selection this beginning, or takes it away where all have it. `1. ` counts. */
export function toggleLines(prefix: string): StateCommand {
  return ({ state, dispatch }) => {
    const { from, to } = state.selection.main;
    const first = state.doc.lineAt(from).number;
    const last = state.doc.lineAt(to).number;
    const lines = Array.from({ length: last - first + 1 }, (_, index) => state.doc.line(first + index));
    const isNumbered = prefix === '1. ';
    const own = isNumbered ? /^\d+\. / : new RegExp(`^${prefix.replace(/[*+.#>-]/g, '\\$&')}`);
    const all = lines.every(({ text }) => own.test(text));
    const changes = lines.map((line, index) => {
      if (all) return { from: line.from, to: line.from + own.exec(line.text)![0].length };
      // A line is one thing at a time: a heading of another level, or another kind of list, goes.
      const other = /^(?:#{1,6} |[-*+] |\d+\. |> )/.exec(line.text)?.[0].length ?? 0;
      return { from: line.from, to: line.from + other, insert: isNumbered ? `${index + 1}. ` : prefix };
    });
    dispatch(state.update({ changes, userEvent: 'input', scrollIntoView: true }));
    return true;
  };
}

/** Puts a text in the place of the selection, as a block of its own. */
export function insertBlock(text: string): StateCommand {
  return ({ state, dispatch }) => {
    const { from, to } = state.selection.main;
    const line = state.doc.lineAt(from);
    const isBelowText = line.number > 1 && state.doc.line(line.number - 1).text.trim() !== '';
    // Without a blank line it would be read as one with what is above or below it.
    const before = line.from < from ? '\n\n' : isBelowText ? '\n' : '';
    const after = to < state.doc.lineAt(to).to ? '\n\n' : '\n';
    dispatch(
      state.update({
        changes: { from, to, insert: `${before}${text}${after}` },
        selection: { anchor: from + before.length + text.length },
        userEvent: 'input',
        scrollIntoView: true,
      }),
    );
    return true;
  };
}

/** Makes the selection a link; an empty one is called by its label. */
export function insertLink(address: string, label: string): StateCommand {
  return ({ state, dispatch }) => {
    const { from, to } = state.selection.main;
    const text = state.sliceDoc(from, to) || label;
    const target = /[\s()<>]/.test(address) ? `<${address.replace(/[<>]/g, encodeURIComponent)}>` : address;
    const insert = `[${text}](${target})`;
    dispatch(
      state.update({ changes: { from, to, insert }, selection: { anchor: from + insert.length }, userEvent: 'input' }),
    );
    return true;
  };
}

/** An image as Markdown. */
export function markdownImage({ src, alt }: { src: string; alt: string }): string {
  const address = /[\s()<>]/.test(src) ? `<${src.replace(/[<>]/g, encodeURIComponent)}>` : src;
  return `![${alt.replace(/[[\]\\]/g, '\\$&')}](${address})`;
}
