import { type ReactNode, useEffect, useRef } from 'react';
import classes from '../editor.module.css';

/**
 * What stays in view above a text while that is scrolled. Says how much room it takes, for app.css: whoever writes below it
 * never writes behind it.
 */
export function EditorBar({ children }: { children?: ReactNode }) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty('--app-bar', `${bar.current?.offsetHeight ?? 0}px`));
    observer.observe(bar.current!);
    return () => {
      observer.disconnect();
      style.removeProperty('--app-bar');
    };
  }, []);
  return (
    <div ref={bar} className={classes.bar}>
      {children}
    </div>
  );
}

/** In pixels: what is in front of a text at either end of the window. Browsers scroll by it, and the editors have to. */
export const covered = {
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
