import type { ReactNode } from 'react';
import classes from './beside-input.module.css';

/**
 * Returns the `inputContainer` of a field with buttons beside its input. The buttons stay level with the input, whatever the
 * field shows above and below it: a label, a description or an error.
 */
export function beside(buttons: ReactNode): (input: ReactNode) => ReactNode {
  return (input) => (
    <div className={classes.row}>
      {input}
      {buttons}
    </div>
  );
}
