import type { ReactNode } from 'react';
import { useIsKnown } from '../session.ts';
import classes from './once-known.module.css';

interface FieldsProps {
  readonly isKnown: boolean;
  readonly children: ReactNode;
}

/**
 * Shows fields and buttons from the start, and enables them once it is known who is signed in. They come with the page, and what
 * was typed into them before React has taken them over would be lost.
 */
export function Fields({ isKnown, children }: FieldsProps) {
  return (
    <fieldset className={classes.fields} disabled={!isKnown} role="presentation">
      {children}
    </fieldset>
  );
}

/** Does so on screens behind the sign-in. */
export function OnceKnown({ children }: Pick<FieldsProps, 'children'>) {
  return <Fields isKnown={useIsKnown()}>{children}</Fields>;
}
