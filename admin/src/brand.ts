import { useContext } from 'react';
import type { ShownBrandJson } from './contract.ts';
import { product } from './product.ts';
import { nobodyYet, SessionContext } from './session.ts';
import { strings } from './strings.ts';

/** The brand that the service has put into the page, which it does if the address or a cookie names the account. */
const ofPage: ShownBrandJson | null = readPage();

function readPage(): ShownBrandJson | null {
  if (typeof document === 'undefined') return null;
  const content = document.querySelector<HTMLMetaElement>('meta[name=brand]')?.content;
  return content ? (JSON.parse(content) as ShownBrandJson) : null;
}

/** Returns the brand that the person sees in place of the product's name; null for none. */
export function useBrand(): ShownBrandJson | null {
  const session = useContext(SessionContext);
  return session && session !== nobodyYet ? session.account.brand : ofPage;
}

/** Tells whether the page came with the brand, and so with its style. */
export function isOfPage(brand: ShownBrandJson): boolean {
  return brand === ofPage;
}

/** Returns the name that the app goes by. */
export function useProductName(): string {
  return useBrand()?.name ?? product;
}

/** Returns the pages and the mail address that a brand leads people to. */
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
