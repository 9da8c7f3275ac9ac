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
 * CodeMirror knows one line end for all of a text. Texts come with three of them, sometimes mixed, and nobody who changes
 * a word means to change those. So the editor's text has the usual one everywhere, and those that differ are remembered
 * where they stand: unedited text keeps its bytes.
 */

class OtherEnd extends RangeValue {
  // Writing beside it does not make it longer, and it goes with the end that it is of.
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

/** The end that new lines get: the one that most of the others have. */
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

/** Returns the extension with which an editor remembers the line ends of the text. */
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

/** The editor's text with the line ends that it came with. */
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

/** Positions are those in the editor, where each end is one character. */
function othersIn(text: string, usual: string): Remembered[] {
  const found: Remembered[] = [];
  let extra = 0;
  for (const { 0: end, index } of text.matchAll(/\r\n?|\n/g)) {
    if (end !== usual) found.push({ at: index - extra, text: end });
    extra += end.length - 1;
  }
  return found;
}

/** Undoing a deletion brings the text back with the usual ends: this, with those it had. */
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
