import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import type { MediaKind } from '../db/schema.ts';
import { type ImageShape, MAX_PIXELS } from './image-limits.ts';
import { isCostly } from './image-structure.ts';
import { type MediaName, sizesOf, writeMediaName } from './media-name.ts';

/** An image to be made fit for the web. */
export interface ImageJob {
  path: string;
  kind: MediaKind;
  hash: string;
  /** The folder that the variants are written to. */
  folder: string;
  /** If given, one PNG that fits into it is made instead of the variants. In pixels. */
  box?: { width: number; height: number };
}

/** The variants: the names of the files in the folder, and the size of the largest. */
export interface ProcessedImage {
  width: number;
  height: number;
  isMoving: boolean;
  /** Bytes by name. */
  files: Record<string, number>;
}

/** Why nothing was made: it cannot be decoded, or its file is built so that decoding it would take very long. */
export type ImageProblem = 'damaged' | 'costly';

/** The largest that is kept, in pixels. Images that move are many in one, and take as much longer. */
const MAX_SIZE = { width: 2560, height: 8192 };
const MAX_MOVING_SIZE = { width: 960, height: 960 };

/** A higher effort would make them a tenth smaller, in five times the time. */
const WEBP = { quality: 82, effort: 4, smartSubsample: true } as const;
const AVIF = { quality: 55, effort: 0 } as const;
const WEBP_MOVING = { quality: 75, effort: 2 } as const;

// Nothing of an image is used twice.
sharp.cache(false);
sharp.concurrency(1);
// Allows only the formats that we accept, whatever a file pretends to be.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif'].map((name) => `VipsForeignLoad${name}`) });

const formats: Readonly<Record<MediaKind, string>> = {
  jpeg: 'jpeg',
  png: 'png',
  webp: 'webp',
  avif: 'heif',
  gif: 'gif',
};

/** Reads the header alone. How large the image says it is counts for nothing here: that is for those who ask. */
export async function inspect({ path, kind }: ImageJob): Promise<ImageShape | ImageProblem> {
  try {
    // First: the library takes apart a file's texts and profile before it tells how large the image is.
    if (isCostly(await readFile(path), kind)) return 'costly';
    const { format, width, height, pages = 1 } = await sharp(path, { limitInputPixels: false }).metadata();
    if (format !== formats[kind]) return 'damaged';
    return { width, height, frames: canMove(kind) ? pages : 1 };
  } catch {
    return 'damaged';
  }
}

/**
 * Decodes the image and encodes it anew: upright, in sRGB, no wider than it was, and with nothing of what the file said
 * beside its pixels. Writes every size as WebP and AVIF.
 */
export async function makeVariants(job: ImageJob): Promise<ProcessedImage | ImageProblem> {
  try {
    const options = { limitInputPixels: MAX_PIXELS, failOn: 'error' } as const;
    const shape = await inspect(job);
    if (typeof shape === 'string') return shape;
    if (job.box) return await makePng(job, job.box, sharp(job.path, options));
    return shape.frames > 1
      ? await makeMoving(job, sharp(job.path, { ...options, animated: true }))
      : await makeStill(job, sharp(job.path, options));
  } catch {
    return 'damaged';
  }
}

function canMove(kind: MediaKind): boolean {
  return kind === 'gif' || kind === 'webp';
}

async function makeStill(job: ImageJob, image: Sharp): Promise<ProcessedImage> {
  // Decoded once, for all that is made of it.
  const { data, info } = await image
    .autoOrient()
    .toColourspace('srgb')
    .resize({ ...MAX_SIZE, fit: 'inside', withoutEnlargement: true })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const files: Record<string, number> = {};
  for (const size of sizesOf({ width, height, isMoving: false })) {
    const sized = sharp(data, { raw: { width, height, channels } }).resize({ ...size, fit: 'fill' });
    const name = (type: MediaName['type']) => writeMediaName({ hash: job.hash, ...size, isMoving: false, type });
    await writeVariant(job, files, name('webp'), await sized.clone().webp(WEBP).toBuffer());
    await writeVariant(job, files, name('avif'), await sized.avif(AVIF).toBuffer());
  }
  return { width, height, isMoving: false, files };
}

async function makePng(job: ImageJob, box: { width: number; height: number }, image: Sharp): Promise<ProcessedImage> {
  const { data, info } = await image
    .autoOrient()
    .toColourspace('srgb')
    .resize({ ...box, fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 9 })
    .toBuffer({ resolveWithObject: true });
  const files: Record<string, number> = {};
  await writeVariant(job, files, 'image.png', data);
  return { width: info.width, height: info.height, isMoving: false, files };
}

async function makeMoving(job: ImageJob, image: Sharp): Promise<ProcessedImage> {
  const { data, info } = await image
    .resize({ ...MAX_MOVING_SIZE, fit: 'inside', withoutEnlargement: true })
    .webp(WEBP_MOVING)
    .toBuffer({ resolveWithObject: true });
  const size = { width: info.width, height: info.pageHeight ?? info.height };
  const files: Record<string, number> = {};
  await writeVariant(job, files, writeMediaName({ hash: job.hash, ...size, isMoving: true, type: 'webp' }), data);
  return { ...size, isMoving: true, files };
}

async function writeVariant(
  { folder }: ImageJob,
  files: Record<string, number>,
  name: string,
  bytes: Buffer,
): Promise<void> {
  await writeFile(join(folder, name), bytes);
  files[name] = bytes.length;
}
