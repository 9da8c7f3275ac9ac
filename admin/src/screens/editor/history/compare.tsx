import { useMemo } from 'react';
import { strings } from '../../../strings.ts';
import classes from './compare.module.css';
import { CompareLayout, type CompareRow, withNumbers } from './compare-layout.tsx';
import { type ChangedText, differences } from './differences.ts';

export interface Side {
  readonly label: string;
  readonly text: string;
}

interface CompareProps {
  readonly left: Side;
  readonly right: Side;
}

/** Two texts as they are written, with what differs marked. */
export default function Compare({ left, right }: CompareProps) {
  const rows = useMemo(
    () =>
      differences(left.text, right.text).map(
        (row): CompareRow<string> =>
          row.isSame
            ? { isSame: true, units: row.lines }
            : { isSame: false, left: marked(row.left, 'del'), right: marked(row.right, 'ins') },
      ),
    [left.text, right.text],
  );
  return (
    <CompareLayout
      left={left.label}
      right={right.label}
      rows={rows}
      className={classes.source}
      unchanged={strings.compare.unchanged}
      show={(lines) => lines.join('')}
    />
  );
}

function marked(text: ChangedText | undefined, Mark: 'ins' | 'del') {
  if (!text) return undefined;
  return withNumbers(text.pieces).map(({ number, row: { text: piece, isChanged } }) =>
    isChanged ? (
      <Mark key={number} data-whole={text.isWhole || undefined}>
        {piece}
      </Mark>
    ) : (
      piece
    ),
  );
}
