/** An image of a brand as pages and messages show it. */
export interface BrandImage {
  /** The path on a host of the service. Its content never changes. */
  readonly src: string;
  /** The width in pixels. */
  readonly width: number;
  readonly height: number;
}

export type BrandImageKind = 'logo' | 'icon';

/** The largest stored size, in pixels: larger than it is shown, for high-resolution screens. */
export const BRAND_IMAGE_BOXES: Readonly<Record<BrandImageKind, { width: number; height: number }>> = {
  logo: { width: 480, height: 160 },
  icon: { width: 192, height: 192 },
};

export const BRAND_IMAGE_PATH = '/-/brand/';

/** The name of a brand image: the first 128 bits of the file's SHA-256, and its size. */
const NAME = /^[0-9a-f]{32}-([1-9]\d{0,2})x([1-9]\d{0,2})$/;

/** Returns the image with this name; null if the name is null or invalid. */
export function brandImage(name: string | null): BrandImage | null {
  const [, width, height] = NAME.exec(name ?? '') ?? [];
  if (width === undefined) return null;
  return { src: `${BRAND_IMAGE_PATH}${name}.png`, width: Number(width), height: Number(height) };
}

/** Returns the size at which an image is shown in a box, in pixels. Images are never enlarged. */
export function shownSize(
  { width, height }: BrandImage,
  box: { width: number; height: number },
): { width: number; height: number } {
  const scale = Math.min(1, box.width / width, box.height / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
