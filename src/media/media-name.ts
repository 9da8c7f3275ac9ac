/**
 * The name of an image's file, in the store and in its URL, `/media/NAME`. The name of the largest variant determines the
 * names of the others, so its URL is enough to know which variants exist.
 */
export interface MediaName {
  hash: string;
  /** The width in pixels. */
  width: number;
  height: number;
  /** True for an animation, which has one variant, in WebP. */
  isMoving: boolean;
  type: 'webp' | 'avif';
}

/** The path of images at the host of a site. */
export const MEDIA_PATH = '/media/';

/** The widths of smaller variants, in pixels. Stored pages contain them in URLs: widths may be added, but none may change. */
const widths = [480, 960, 1600];

/** How many times narrower than the largest variant another one must be to be worth storing. */
const MIN_WIDTH_RATIO = 1.2;

const NAME = /^([0-9a-f]{32})-([1-9]\d{0,4})x([1-9]\d{0,4})(-moving)?\.(webp|avif)$/;

export function readMediaName(name: string): MediaName | undefined {
  const [, hash, width, height, moving, type] = NAME.exec(name) ?? [];
  if (hash === undefined) return undefined;
  return {
    hash,
    width: Number(width),
    height: Number(height),
    isMoving: moving !== undefined,
    type: type as MediaName['type'],
  };
}

export function writeMediaName({ hash, width, height, isMoving, type }: MediaName): string {
  return `${hash}-${width}x${height}${isMoving ? '-moving' : ''}.${type}`;
}

/** Returns all sizes of the image, the smallest first. A moving image has one. */
export function sizesOf({ width, height, isMoving }: Pick<MediaName, 'width' | 'height' | 'isMoving'>) {
  const smaller = isMoving ? [] : widths.filter((narrow) => narrow * MIN_WIDTH_RATIO <= width);
  const sizes = smaller.map((narrow) => ({
    width: narrow,
    height: Math.max(1, Math.round((height * narrow) / width)),
  }));
  return [...sizes, { width, height }];
}

/** Returns all sizes of the image in a format as the `srcset` of an element. */
export function srcsetOf(name: MediaName, type: MediaName['type']): string {
  const addresses = sizesOf(name).map(
    (size) => `${MEDIA_PATH}${writeMediaName({ ...name, ...size, type })} ${size.width}w`,
  );
  return addresses.join(', ');
}
