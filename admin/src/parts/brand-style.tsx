import { useEffect } from 'react';
import { isOfPage, useBrand } from '../brand.ts';
import { nonce } from '../nonce.ts';

/** Gives the app the colour of the person's brand, and puts its icon in the place of the product's. */
export function BrandStyle() {
  const brand = useBrand();
  useEffect(() => {
    if (brand) document.querySelector('link[rel=icon]')?.setAttribute('href', brand.icon?.src ?? 'data:,');
  }, [brand]);
  return brand && !isOfPage(brand) && <style nonce={nonce}>{brand.style}</style>;
}
