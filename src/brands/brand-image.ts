/** An image of a brand as pages and messages show it. */
export interface BrandImage {
  /** The path on a host of the service. What is there never changes. */
  readonly src: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

export type BrandImageKind = 'logo' | 'icon';

/** The largest that is kept, in pixels: more than it is shown at, for screens with finer pixels. */
export const BRAND_IMAGE_BOXES: Readonly<Record<BrandImageKind, { width: number; height: number }>> = {
  logo: { width: 480, height: 160 },
  icon: { width: 192, height: 192 },
};

export const BRAND_IMAGE_PATH = '/-/brand/';

/** The first 128 bits of the SHA-256 of its file, and its size. */
const NAME = /^[0-9a-f]{32}-([1-9]\d{0,2})x([1-9]\d{0,2})$/;

/** Returns the image with that name; null for no name, or for a text that is none. */
export function brandImage(name: string | null): BrandImage | null {
  const [, width, height] = NAME.exec(name ?? '') ?? [];
  if (width === undefined) return null;
  return { src: `${BRAND_IMAGE_PATH}${name}.png`, width: Number(width), height: Number(height) };
}

/** Returns the size in which an image is shown in a box, in pixels: no larger than it is. */
export function shownSize(
  { width, height }: BrandImage,
  box: { width: number; height: number },
): { width: number; height: number } {
  const scale = Math.min(1, box.width / width, box.height / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
