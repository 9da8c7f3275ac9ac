import type { ReactNode } from 'react';
import classes from './pinned.module.css';
import { usePublishedHeight } from './use-published-height.ts';

/** Keeps a row of buttons in view below the header while the list after it scrolls. */
export function Pinned({ children }: { children: ReactNode }) {
  return (
    <div ref={usePublishedHeight('--app-bar')} className={classes.pinned}>
      {children}
    </div>
  );
}
