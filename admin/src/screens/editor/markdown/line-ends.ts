import { invertedEffects } from '@codemirror/commands';
import {
  type EditorState,
  type Extension,
  Facet,
  type Range,
  RangeSet,
  RangeValue,
  StateEffect,
  StateField,
  type Transaction,
} from '@codemirror/state';

/*
 * CodeMirror uses one line end for a whole text. Texts come with any of three, sometimes mixed, and an edit of one word must
 * not change the others. So the editor's text has the most frequent one everywhere, and the positions of the others are
 * stored beside it: unedited text keeps its bytes.
 */

class UnusualLineEnd extends RangeValue {
  // Text typed beside the line end does not extend its range, and deleting the line end deletes the range.
  override readonly startSide = 1;
  override readonly endSide = -1;
  readonly text: string;

  constructor(text: string) {
    super();
    this.text = text;
  }

  override eq(other: RangeValue): boolean {
    return other instanceof UnusualLineEnd && other.text === this.text;
  }
}

interface LineEnd {
  readonly at: number;
  readonly text: string;
}

/** The line end for new lines: the most frequent one in the text. */
const usualLineEnd = Facet.define<string, string>({ combine: (values) => values[0] ?? '\n' });

const restoreLineEnd = StateEffect.define<LineEnd>({
  map: ({ at, text }, changes) => ({ at: changes.mapPos(at), text }),
});

const unusualLineEnds = StateField.define<RangeSet<UnusualLineEnd>>({
  create: () => RangeSet.empty,
  update: (ends, transaction) => {
    const mapped = ends.map(transaction.changes);
    const add = transaction.effects.filter((effect) => effect.is(restoreLineEnd)).map(({ value }) => rangeOf(value));
    return add.length === 0 ? mapped : mapped.update({ add, sort: true });
  },
});

/** Returns an extension that remembers the line ends of the text. */
export function preserveLineEnds(text: string): Extension {
  const ends = text.match(/\r\n?|\n/g) ?? [];
  const counts = new Map<string, number>();
  for (const end of ends) counts.set(end, (counts.get(end) ?? 0) + 1);
  const [usual = '\n'] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? [];
  return [
    usualLineEnd.of(usual),
    unusualLineEnds.init(() => RangeSet.of(findUnusualLineEnds(text, usual).map(rangeOf))),
    invertedEffects.of(deletedEnds),
  ];
}

/** Returns the editor's text with its original line ends. */
export function textWithLineEnds(state: EditorState): string {
  const text = state.doc.toString();
  const usual = state.facet(usualLineEnd);
  const others = state.field(unusualLineEnds);
  if (others.size === 0) return usual === '\n' ? text : text.replaceAll('\n', usual);
  const parts: string[] = [];
  let from = 0;
  const add = (to: number) => parts.push(text.slice(from, to).replaceAll('\n', usual));
  others.between(0, text.length, (at, _, { text: end }) => {
    if (at < from || text[at] !== '\n') return;
    add(at);
    parts.push(end);
    from = at + 1;
  });
  add(text.length);
  return parts.join('');
}

/** Returns the line ends that differ, at their positions in the editor, where each line end is one character. */
function findUnusualLineEnds(text: string, usual: string): LineEnd[] {
  const found: LineEnd[] = [];
  let extra = 0;
  for (const { 0: end, index } of text.matchAll(/\r\n?|\n/g)) {
    if (end !== usual) found.push({ at: index - extra, text: end });
    extra += end.length - 1;
  }
  return found;
}

/** Restores the original line ends when a deletion is undone. CodeMirror alone restores the text with the usual ones. */
function deletedEnds({ startState, changes }: Transaction): readonly StateEffect<LineEnd>[] {
  const found: StateEffect<LineEnd>[] = [];
  const ends = startState.field(unusualLineEnds);
  changes.iterChangedRanges((from, to) => {
    if (from === to) return;
    ends.between(from, to, (at, _, { text }) => {
      if (at >= from && at < to) found.push(restoreLineEnd.of({ at, text }));
    });
  });
  return found;
}

function rangeOf({ at, text }: LineEnd): Range<UnusualLineEnd> {
  return new UnusualLineEnd(text).range(at, at + 1);
}
