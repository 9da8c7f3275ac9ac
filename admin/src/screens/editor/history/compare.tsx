import { useMemo } from 'react';
import { strings } from '../../../strings.ts';
import { type Block, blockDifferences, type ChangedBlock, lineBlocks } from './block-differences.ts';
import classes from './compare.module.css';
import { CompareLayout, type CompareRow, withNumbers } from './compare-layout.tsx';

interface Side {
  readonly label: string;
  readonly text: string;
}

interface CompareProps {
  readonly left: Side;
  readonly right: Side;
}

/** Compares the sources of two texts, with the differences marked. */
export default function Compare({ left, right }: CompareProps) {
  const rows = useMemo(
    () =>
      blockDifferences(lineBlocks(left.text), lineBlocks(right.text)).map(
        (row): CompareRow<string> =>
          row.isSame
            ? { isSame: true, units: row.left.map(({ key }) => key) }
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

function marked(line: ChangedBlock<Block> | undefined, Mark: 'ins' | 'del') {
  if (!line) return undefined;
  const { block, changed } = line;
  if (!changed) return <Mark data-whole>{block.tokens.join('')}</Mark>;
  const pieces: { text: string; isChanged: boolean }[] = [];
  block.tokens.forEach((text, index) => {
    const last = pieces.at(-1);
    const isChanged = changed[index]!;
    if (last?.isChanged === isChanged) last.text += text;
    else pieces.push({ text, isChanged });
  });
  return withNumbers(pieces).map(({ number, row: { text, isChanged } }) =>
    isChanged ? <Mark key={number}>{text}</Mark> : text,
  );
}
