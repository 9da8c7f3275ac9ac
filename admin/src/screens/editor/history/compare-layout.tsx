import type { ReactNode } from 'react';
import { strings } from '../../../strings.ts';
import classes from './compare.module.css';

const words = strings.compare;

/** Units that stay to be seen beside what differs, such as lines, and how many are worth being folded. */
const CONTEXT = 3;
const MIN_FOLDED = 6;

/** Some units that are the same on both sides, or what differs; a side is undefined where it has nothing of it. */
export type CompareRow<Unit> =
  | { readonly isSame: true; readonly units: readonly Unit[] }
  | { readonly isSame: false; readonly left: ReactNode; readonly right: ReactNode };

interface CompareLayoutProps<Unit> {
  readonly left: string;
  readonly right: string;
  readonly rows: readonly CompareRow<Unit>[];
  readonly className: string | undefined;
  readonly unchanged: (count: number) => string;
  readonly show: (units: readonly Unit[], side: 'left' | 'right') => ReactNode;
}

/** Two texts side by side, or one below the other where there is no room. */
export function CompareLayout<Unit>({ left, right, rows, className, unchanged, show }: CompareLayoutProps<Unit>) {
  /** On both sides, and read out once. */
  const same = (units: readonly Unit[]) =>
    units.length > 0 && (
      <div className={classes.row}>
        <div>{show(units, 'left')}</div>
        <div aria-hidden className={classes.again}>
          {show(units, 'right')}
        </div>
      </div>
    );
  return (
    // It may have nothing but text, so the keyboard can scroll it only if it takes the focus.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: for that reason
    <section aria-label={words.title} tabIndex={0} className={`${classes.compare} ${className}`}>
      <div className={classes.head}>
        <span data-side="left">{left}</span>
        <span data-side="right">{right}</span>
      </div>
      {withNumbers(rows).map(({ number, row }) => {
        if (!row.isSame) {
          return (
            <div key={number} className={classes.row}>
              <Changed side="left" label={left} content={row.left} />
              <Changed side="right" label={right} content={row.right} />
            </div>
          );
        }
        const { units } = row;
        const start = number === 0 ? 0 : CONTEXT;
        const end = number === rows.length - 1 ? units.length : units.length - CONTEXT;
        if (end - start < MIN_FOLDED) return <div key={number}>{same(units)}</div>;
        return (
          <div key={number}>
            {same(units.slice(0, start))}
            <details className={classes.folded}>
              <summary>{unchanged(end - start)}</summary>
              {same(units.slice(start, end))}
            </details>
            {same(units.slice(end))}
          </div>
        );
      })}
    </section>
  );
}

export function withNumbers<Row>(rows: readonly Row[]): { number: number; row: Row }[] {
  return rows.map((row, number) => ({ number, row }));
}

function Changed({ side, label, content }: { side: 'left' | 'right'; label: string; content: ReactNode }) {
  if (content === undefined) return <div className={classes.nothing} />;
  return (
    <div className={classes.changed} data-side={side}>
      <span className="visually-hidden">{words.on(label)}</span>
      {content}
    </div>
  );
}
