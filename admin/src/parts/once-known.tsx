import type { ReactNode } from 'react';
import { useIsKnown } from '../session.ts';
import classes from './once-known.module.css';

interface FieldsProps {
  readonly isKnown: boolean;
  readonly children: ReactNode;
}

/**
 * Shows fields and buttons from the start, but enables them only once the user is known. They are prerendered, and text
 * typed into them before hydration would be lost.
 */
export function Fields({ isKnown, children }: FieldsProps) {
  return (
    <fieldset className={classes.fields} disabled={!isKnown} role="presentation">
      {children}
    </fieldset>
  );
}

/** Disables its fields until the signed-in user is known. */
export function OnceKnown({ children }: Pick<FieldsProps, 'children'>) {
  return <Fields isKnown={useIsKnown()}>{children}</Fields>;
}
