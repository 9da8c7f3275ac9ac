import type { MediaKind } from '../db/schema.ts';
import { Refusal } from '../refusal.ts';

/** The properties in an image's header, read before anything is decoded. */
export interface ImageShape {
  width: number;
  height: number;
  /** 1 for a still image. */
  frames: number;
}

/** The most pixels: more than any phone's camera has. For an animation, the frames count together. */
export const MAX_PIXELS = 64_000_000;

/** The most pixels of an AVIF: decoding takes 20 bytes of memory per pixel, several times as much as other formats. */
const MAX_AVIF_PIXELS = 32_000_000;

/** The longest side: long enough for a panorama. Each line has a cost, so many short lines are expensive. */
const MAX_SIDE_PIXELS = 16_384;

/** The most frames: each has a cost, however small it is. */
const MAX_FRAMES = 1000;

/**
 * The most pixels of a small image, which takes a second or two. Larger images are made in another queue, and never delay
 * small ones.
 */
const MAX_SMALL_PIXELS = 12_000_000;

/** Returns the number of pixels to decode. */
function pixelsOf({ width, height, frames }: ImageShape): number {
  return width * height * frames;
}

export function isSmall(shape: ImageShape): boolean {
  return pixelsOf(shape) <= MAX_SMALL_PIXELS && shape.frames <= 100;
}

/**
 * Checks that an image is not too expensive to decode.
 * @throws AppError `invalid`
 */
export function checkLimits(kind: MediaKind, shape: ImageShape): void {
  const maxPixels = kind === 'avif' ? MAX_AVIF_PIXELS : MAX_PIXELS;
  if (pixelsOf(shape) > maxPixels) {
    throw new Refusal('invalid', { reason: 'too_many_pixels', params: { max: maxPixels / 1_000_000 } });
  }
  if (Math.max(shape.width, shape.height) > MAX_SIDE_PIXELS) {
    throw new Refusal('invalid', { reason: 'image_too_wide', params: { max: MAX_SIDE_PIXELS } });
  }
  if (shape.frames > MAX_FRAMES) {
    throw new Refusal('invalid', { reason: 'too_many_frames', params: { max: MAX_FRAMES } });
  }
}
