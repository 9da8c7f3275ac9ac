import type { ReactNode } from 'react';
import classes from './beside-input.module.css';

/**
 * Returns the `inputContainer` of a field with buttons beside its input. They stay there whatever stands above and below: the
 * label, a description, an error.
 */
export function beside(buttons: ReactNode): (input: ReactNode) => ReactNode {
  return (input) => (
    <div className={classes.row}>
      {input}
      {buttons}
    </div>
  );
}
