import { useEffect } from 'react';
import { useProductName } from '../brand.ts';

/** Sets the document's title. Undefined leaves it unchanged. */
export function useTitle(title: string | undefined): void {
  const product = useProductName();
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · ${product}`;
  }, [title, product]);
}
