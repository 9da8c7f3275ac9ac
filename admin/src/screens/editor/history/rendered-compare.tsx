import { useLayoutEffect, useMemo, useRef } from 'react';
import { strings } from '../../../strings.ts';
import editorClasses from '../editor.module.css';
import { blockDifferences } from './block-differences.ts';
import classes from './compare.module.css';
import { CompareLayout, type CompareRow } from './compare-layout.tsx';
import { markChanges, renderedBlocks } from './rendered-blocks.ts';

interface RenderedSide {
  readonly label: string;
  readonly name: string;
  readonly description: string | null;
  /** The body as it is rendered for visitors. */
  readonly html: string;
}

interface RenderedCompareProps {
  readonly left: RenderedSide;
  readonly right: RenderedSide;
}

/** A block's element in each of the two texts. */
type Unit = Readonly<Record<'left' | 'right', HTMLElement>>;

/** Compares two rendered texts, with the differences marked. */
export default function RenderedCompare({ left, right }: RenderedCompareProps) {
  const rows = useMemo(
    () => compareBlocks(left, right),
    [left.name, left.description, left.html, right.name, right.description, right.html],
  );
  return (
    <CompareLayout
      left={left.label}
      right={right.label}
      rows={rows}
      className={classes.rendered}
      unchanged={strings.compare.unchangedBlocks}
      show={(units, side) => <Elements elements={units.map((unit) => unit[side])} />}
    />
  );
}

function compareBlocks(left: RenderedSide, right: RenderedSide): CompareRow<Unit>[] {
  return blockDifferences(renderedBlocks(left), renderedBlocks(right)).map((row) => {
    if (row.isSame) {
      const units = row.left.map(({ element }, index) => ({ left: element, right: row.right[index]!.element }));
      return { isSame: true, units };
    }
    return {
      isSame: false,
      left: row.left && <Elements elements={[markChanges(row.left, 'del')]} />,
      right: row.right && <Elements elements={[markChanges(row.right, 'ins')]} />,
    };
  });
}

function Elements({ elements }: { elements: readonly HTMLElement[] }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current!.replaceChildren(...elements));
  return <div ref={place} className={editorClasses.visual} />;
}
