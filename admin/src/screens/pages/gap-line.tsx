import { Loader, Skeleton } from '@mantine/core';
import { type CSSProperties, useEffect } from 'react';
import classes from './page-tree.module.css';
import type { GapRow } from './rows.ts';

/** Where pages are still to come; asks for them when it comes into view. One that is being made has its name already. */
export function GapLine({ row, style, onVisible }: { row: GapRow; style: CSSProperties; onVisible: () => void }) {
  // Once for each time it comes into view.
  useEffect(() => {
    if (row.isMore) onVisible();
  }, [row.key]);
  return (
    <div
      className={classes.row}
      style={{ ...style, paddingInlineStart: 12 + (row.level - 1) * 22 }}
      role="presentation"
    >
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
