import type { ReactNode } from 'react';
import { strings } from '../../../strings.ts';
import classes from './compare.module.css';

const words = strings.compare;

/** How many unchanged units stay visible around a change, and the fewest that are folded. */
const CONTEXT = 3;
const MIN_FOLDED = 6;

/** Equal units, or two sides that differ. A side is undefined if it has no counterpart to the other. */
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

/** Shows two texts side by side, or one below the other on a narrow screen. */
export function CompareLayout<Unit>({ left, right, rows, className, unchanged, show }: CompareLayoutProps<Unit>) {
  /** Shows equal units on both sides, but hides the second from screen readers. */
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
    // The comparison may contain only text, so the keyboard can scroll it only if it is focusable.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be focusable
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
