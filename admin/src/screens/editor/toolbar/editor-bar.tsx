import type { ReactNode } from 'react';
import { usePublishedHeight } from '../../../parts/use-published-height.ts';
import classes from '../editor.module.css';

/**
 * A bar that stays in view above a text while it is scrolled. It publishes its height for app.css, which keeps the cursor
 * from scrolling behind the bar.
 */
export function EditorBar({ children }: { children?: ReactNode }) {
  return (
    <div ref={usePublishedHeight('--app-bar')} className={classes.bar}>
      {children}
    </div>
  );
}

/** The pixels at each edge of the window that cover the text. Browsers respect scroll-padding, but the editors must be told. */
export const coveredMargins = {
  left: 0,
  right: 0,
  get top() {
    return padding('scrollPaddingTop');
  },
  get bottom() {
    return padding('scrollPaddingBottom');
  },
};

function padding(side: 'scrollPaddingTop' | 'scrollPaddingBottom'): number {
  return Number.parseFloat(getComputedStyle(document.documentElement)[side]) || 0;
}
