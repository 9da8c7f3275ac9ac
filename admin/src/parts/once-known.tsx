import type { ReactNode } from 'react';
import { useIsKnown } from '../session.ts';
import classes from './once-known.module.css';

/**
 * Shows fields and buttons from the start, and enables them once it is known who is signed in. They come with the page, and what
 * was typed into them before React has taken them over would be lost.
 */
export function OnceKnown({ children }: { children: ReactNode }) {
  return (
    <fieldset className={classes.fields} disabled={!useIsKnown()} role="presentation">
      {children}
    </fieldset>
  );
}
