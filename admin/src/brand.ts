import { useContext } from 'react';
import type { ShownBrandJson } from './contract.ts';
import { product } from './product.ts';
import { SessionContext, unknownSession } from './session.ts';
import { strings } from './strings.ts';

/** The brand that the service puts into the page if the address or a cookie identifies the account. */
const pageBrand: ShownBrandJson | null = readPage();

function readPage(): ShownBrandJson | null {
  if (typeof document === 'undefined') return null;
  const content = document.querySelector<HTMLMetaElement>('meta[name=brand]')?.content;
  return content ? (JSON.parse(content) as ShownBrandJson) : null;
}

/** Returns the brand that is shown instead of the product's name, or null if there is none. */
export function useBrand(): ShownBrandJson | null {
  const session = useContext(SessionContext);
  return session && session !== unknownSession ? session.account.brand : pageBrand;
}

/** True if the page contains the brand, and therefore its style. */
export function isPageBrand(brand: ShownBrandJson): boolean {
  return brand === pageBrand;
}

/** Returns the app's name: the brand's, or the product's. */
export function useProductName(): string {
  return useBrand()?.name ?? product;
}

/** Returns the brand's links to its support, and to its legal pages. */
export function linksOf(brand: ShownBrandJson | null): { label: string; href: string }[] {
  if (!brand) return [];
  const words = strings.brandLinks;
  const links = [
    { label: words.support(brand.name), href: brand.supportUrl },
    { label: brand.supportEmail ?? '', href: brand.supportEmail && `mailto:${encodeURI(brand.supportEmail)}` },
    { label: words.legalNotice, href: brand.legalNoticeUrl },
    { label: words.privacy, href: brand.privacyUrl },
    { label: words.terms, href: brand.termsUrl },
  ];
  return links.filter((link): link is { label: string; href: string } => link.href !== null);
}
