import { Loader, Skeleton } from '@mantine/core';
import { type CSSProperties, useEffect } from 'react';
import classes from './page-tree.module.css';
import type { GapRow } from './rows.ts';

const RETRY_DELAY_MS = 2000;

interface GapLineProps {
  readonly row: GapRow;
  readonly style: CSSProperties;
  readonly onVisible: () => Promise<void>;
}

/** A placeholder for pages that are not loaded, which loads them when it comes into view, or for a page being created. */
export function GapLine({ row, style, onVisible }: GapLineProps) {
  // Loads when the line comes into view, and retries after a failure. A loaded batch replaces the line.
  useEffect(() => {
    if (!row.isMore) return;
    let timer: ReturnType<typeof setTimeout>;
    let isGone = false;
    const ask = async () => {
      await onVisible().catch(() => {});
      if (!isGone) timer = setTimeout(ask, RETRY_DELAY_MS);
    };
    void ask();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [row.key]);
  return (
    <div className={classes.row} style={style} role="presentation">
      {row.name === undefined ? (
        <Skeleton height={10} width="40%" aria-hidden />
      ) : (
        <>
          <Loader size={16} ml={36} aria-hidden />
          <span className={classes.name}>{row.name}</span>
        </>
      )}
    </div>
  );
}
