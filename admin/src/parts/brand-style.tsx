import { useEffect } from 'react';
import { isPageBrand, useBrand } from '../brand.ts';
import { nonce } from '../nonce.ts';

/** Applies the colour and the icon of the user's brand to the app. */
export function BrandStyle() {
  const brand = useBrand();
  useEffect(() => {
    if (brand) document.querySelector('link[rel=icon]')?.setAttribute('href', brand.icon?.src ?? 'data:,');
  }, [brand]);
  return brand && !isPageBrand(brand) && <style nonce={nonce}>{brand.style}</style>;
}
