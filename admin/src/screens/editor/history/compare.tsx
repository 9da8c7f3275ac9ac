import { useMemo } from 'react';
import { strings } from '../../../strings.ts';
import classes from './compare.module.css';
import { type ChangedText, differences } from './differences.ts';

const words = strings.compare;

export interface Side {
  readonly label: string;
  readonly text: string;
}

interface CompareProps {
  readonly left: Side;
  readonly right: Side;
}

/** Lines that stay to be seen beside what differs, and how many are worth being folded. */
const CONTEXT_LINES = 3;
const MIN_FOLDED_LINES = 6;

/** Two texts side by side, or one below the other where there is no room, with what differs marked. */
export default function Compare({ left, right }: CompareProps) {
  const rows = useMemo(() => withNumbers(differences(left.text, right.text)), [left.text, right.text]);
  return (
    // It has nothing but text, so the keyboard can scroll it only if it takes the focus.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: for that reason
    <section aria-label={words.title} tabIndex={0} className={classes.compare}>
      <div className={classes.head}>
        <span data-side="left">{left.label}</span>
        <span data-side="right">{right.label}</span>
      </div>
      {rows.map(({ number, row }, index) =>
        row.isSame ? (
          <Same key={number} lines={row.lines} isFirst={index === 0} isLast={index === rows.length - 1} />
        ) : (
          <div key={number} className={classes.row}>
            <Changed side="left" label={left.label} text={row.left} />
            <Changed side="right" label={right.label} text={row.right} />
          </div>
        ),
      )}
    </section>
  );
}

function withNumbers<Row>(rows: readonly Row[]): { number: number; row: Row }[] {
  return rows.map((row, number) => ({ number, row }));
}

interface ChangedProps {
  readonly side: 'left' | 'right';
  readonly label: string;
  readonly text: ChangedText | undefined;
}

function Changed({ side, label, text }: ChangedProps) {
  if (!text) return <div className={classes.nothing} />;
  const Mark = side === 'left' ? 'del' : 'ins';
  return (
    <div className={classes.changed} data-side={side}>
      <span className="visually-hidden">{words.on(label)}</span>
      {withNumbers(text.pieces).map(({ number, row: { text: piece, isChanged } }) =>
        isChanged ? (
          <Mark key={number} data-whole={text.isWhole || undefined}>
            {piece}
          </Mark>
        ) : (
          piece
        ),
      )}
    </div>
  );
}

interface SameProps {
  readonly lines: readonly string[];
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** Unchanged lines. Only those next to a change are shown at first; the others are folded. */
function Same({ lines, isFirst, isLast }: SameProps) {
  const start = isFirst ? 0 : CONTEXT_LINES;
  const end = isLast ? lines.length : lines.length - CONTEXT_LINES;
  if (end - start < MIN_FOLDED_LINES) return <SameLines lines={lines} />;
  return (
    <>
      <SameLines lines={lines.slice(0, start)} />
      <details className={classes.folded}>
        <summary>{words.unchanged(end - start)}</summary>
        <SameLines lines={lines.slice(start, end)} />
      </details>
      <SameLines lines={lines.slice(end)} />
    </>
  );
}

/** On both sides, and read out once. */
function SameLines({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null;
  const text = lines.join('');
  return (
    <div className={classes.row}>
      <div>{text}</div>
      <div aria-hidden className={classes.again}>
        {text}
      </div>
    </div>
  );
}
