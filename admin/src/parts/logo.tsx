/** The house that is also the app's icon. */
export function Logo({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" data-product-logo>
      <rect width="32" height="32" rx="8" fill="#1f5f56" />
      <path d="M9 24V10.5L16 6l7 4.5V24h-5v-6h-4v6z" fill="#f4efe4" />
    </svg>
  );
}
