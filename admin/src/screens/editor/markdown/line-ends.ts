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

class OtherEnd extends RangeValue {
  // Text typed beside the line end does not extend its range, and deleting the line end deletes the range.
  override readonly startSide = 1;
  override readonly endSide = -1;
  readonly text: string;

  constructor(text: string) {
    super();
    this.text = text;
  }

  override eq(other: RangeValue): boolean {
    return other instanceof OtherEnd && other.text === this.text;
  }
}

interface Remembered {
  readonly at: number;
  readonly text: string;
}

/** The line end for new lines: the most frequent one in the text. */
const usualEnd = Facet.define<string, string>({ combine: (values) => values[0] ?? '\n' });

const putBack = StateEffect.define<Remembered>({
  map: ({ at, text }, changes) => ({ at: changes.mapPos(at), text }),
});

const otherEnds = StateField.define<RangeSet<OtherEnd>>({
  create: () => RangeSet.empty,
  update: (ends, transaction) => {
    const mapped = ends.map(transaction.changes);
    const add = transaction.effects.filter((effect) => effect.is(putBack)).map(({ value }) => rangeOf(value));
    return add.length === 0 ? mapped : mapped.update({ add, sort: true });
  },
});

/** Returns an extension that remembers the line ends of the text. */
export function lineEndsOf(text: string): Extension {
  const ends = text.match(/\r\n?|\n/g) ?? [];
  const counts = new Map<string, number>();
  for (const end of ends) counts.set(end, (counts.get(end) ?? 0) + 1);
  const [usual = '\n'] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? [];
  return [
    usualEnd.of(usual),
    otherEnds.init(() => RangeSet.of(othersIn(text, usual).map(rangeOf))),
    invertedEffects.of(deletedEnds),
  ];
}

/** Returns the editor's text with its original line ends. */
export function textWithEnds(state: EditorState): string {
  const text = state.doc.toString();
  const usual = state.facet(usualEnd);
  const others = state.field(otherEnds);
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
function othersIn(text: string, usual: string): Remembered[] {
  const found: Remembered[] = [];
  let extra = 0;
  for (const { 0: end, index } of text.matchAll(/\r\n?|\n/g)) {
    if (end !== usual) found.push({ at: index - extra, text: end });
    extra += end.length - 1;
  }
  return found;
}

/** Restores the original line ends when a deletion is undone. CodeMirror alone restores the text with the usual ones. */
function deletedEnds({ startState, changes }: Transaction): readonly StateEffect<Remembered>[] {
  const found: StateEffect<Remembered>[] = [];
  const ends = startState.field(otherEnds);
  changes.iterChangedRanges((from, to) => {
    if (from === to) return;
    ends.between(from, to, (at, _, { text }) => {
      if (at >= from && at < to) found.push(putBack.of({ at, text }));
    });
  });
  return found;
}

function rangeOf({ at, text }: Remembered): Range<OtherEnd> {
  return new OtherEnd(text).range(at, at + 1);
}
