import { useEffect } from 'react';
import { strings } from '../strings.ts';

/** Sets the title of the document; undefined leaves it as it is. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · ${strings.product}`;
  }, [title]);
}
