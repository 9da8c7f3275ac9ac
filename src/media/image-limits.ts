import type { MediaKind } from '../db/schema.ts';
import { Refusal } from '../refusal.ts';

/** The properties in an image's header, read before anything is decoded. */
export interface ImageShape {
  width: number;
  height: number;
  /** 1 for one that does not move. */
  frames: number;
}

/** More than any telephone's. An image that moves has so many in all of its frames together. */
export const MAX_PIXELS = 64_000_000;

/** Decoding AVIF takes 20 bytes of memory a pixel, several times as much as other formats. */
const MAX_AVIF_PIXELS = 32_000_000;

/** A panorama's; what lines cost, many short ones cost as well. */
const MAX_SIDE_PIXELS = 16_384;

/** Each costs something, however small it is. */
const MAX_FRAMES = 1000;

/** An image that is done in a second or two. Larger ones are made apart from these, and never hold them up. */
const MAX_SMALL_PIXELS = 12_000_000;

/** Returns how many pixels have to be decoded. */
function pixelsOf({ width, height, frames }: ImageShape): number {
  return width * height * frames;
}

export function isSmall(shape: ImageShape): boolean {
  return pixelsOf(shape) <= MAX_SMALL_PIXELS && shape.frames <= 100;
}

/** @throws AppError `invalid` for an image that would cost too much to decode. */
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
