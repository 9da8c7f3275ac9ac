import { useEffect } from 'react';
import { useProductName } from '../brand.ts';

/** Sets the title of the document; undefined leaves it as it is. */
export function useTitle(title: string | undefined): void {
  const product = useProductName();
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · ${product}`;
  }, [title, product]);
}
