import { useBrand } from '../brand.ts';
import type { BrandImageJson } from '../contract.ts';

/**
 * The logo of the user's brand, or else of the product. The service puts the brand's logo into the prerendered page in the
 * same way: see src/http/admin-app/index-page.ts.
 */
export function Logo({ size }: { size: number }) {
  const brand = useBrand();
  if (brand?.logo) {
    return (
      <>
        <BrandLogo scheme="light" image={brand.logo} alt={brand.name} height={size} />
        {brand.logoDark && <BrandLogo scheme="dark" image={brand.logoDark} alt={brand.name} height={size} />}
      </>
    );
  }
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" data-product-logo>
      <rect width="32" height="32" rx="8" fill="#1f5f56" />
      <path d="M9 24V10.5L16 6l7 4.5V24h-5v-6h-4v6z" fill="#f4efe4" />
    </svg>
  );
}

interface BrandLogoProps {
  readonly scheme: 'light' | 'dark';
  readonly image: BrandImageJson;
  readonly alt: string;
  readonly height: number;
}

/** One of a brand's logos. A page may contain two, for light and dark: the brand's style sheet hides the other. */
function BrandLogo({ scheme, image: { src, width, height }, alt, height: most }: BrandLogoProps) {
  const scale = Math.min(1, (5 * most) / width, most / height);
  const pixels = (length: number) => Math.max(1, Math.round(length * scale));
  return <img data-brand-logo={scheme} src={src} alt={alt} width={pixels(width)} height={pixels(height)} />;
}
