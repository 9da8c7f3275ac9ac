import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import type { MediaKind } from '../db/schema.ts';
import { type ImageShape, MAX_PIXELS } from './image-limits.ts';
import { isCostly } from './image-structure.ts';
import { type MediaName, sizesOf, writeMediaName } from './media-name.ts';

/** An image to prepare for the web. */
export interface ImageJob {
  path: string;
  kind: MediaKind;
  hash: string;
  /** The folder that the variants are written to. */
  folder: string;
  /** If given, one PNG that fits into this box, in pixels, is made instead of the variants. */
  box?: { width: number; height: number };
}

/** The files of the variants in the folder, and the size of the largest variant. */
export interface ProcessedImage {
  width: number;
  height: number;
  isMoving: boolean;
  /** The size of each file in bytes, by name. */
  files: Record<string, number>;
}

/** Why nothing was made: the image cannot be decoded, or its structure would make decoding very slow. */
export type ImageProblem = 'damaged' | 'costly';

/** The largest stored size, in pixels. Animations consist of many images, and take proportionally longer. */
const MAX_SIZE = { width: 2560, height: 8192 };
const MAX_MOVING_SIZE = { width: 960, height: 960 };

/** The encoder settings. A higher effort would make files a tenth smaller, in five times the time. */
const WEBP = { quality: 82, effort: 4, smartSubsample: true } as const;
const AVIF = { quality: 55, effort: 0 } as const;
const WEBP_MOVING = { quality: 75, effort: 2 } as const;

// No cache: no image is used twice.
sharp.cache(false);
sharp.concurrency(1);
// Allows only the formats that we accept, whatever format a file claims to have.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif'].map((name) => `VipsForeignLoad${name}`) });

const formats: Readonly<Record<MediaKind, string>> = {
  jpeg: 'jpeg',
  png: 'png',
  webp: 'webp',
  avif: 'heif',
  gif: 'gif',
};

/** Reads only the header. The caller checks the size of the image. */
export async function inspect({ path, kind }: ImageJob): Promise<ImageShape | ImageProblem> {
  try {
    // Checked first: the library parses a file's texts and profile before it returns the size of the image.
    if (isCostly(await readFile(path), kind)) return 'costly';
    const { format, width, height, pages = 1 } = await sharp(path, { limitInputPixels: false }).metadata();
    if (format !== formats[kind]) return 'damaged';
    return { width, height, frames: canBeAnimated(kind) ? pages : 1 };
  } catch {
    return 'damaged';
  }
}

/**
 * Decodes the image and encodes it again: upright, in sRGB, no wider than before, and without metadata. Writes every size as
 * WebP and AVIF.
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

function canBeAnimated(kind: MediaKind): boolean {
  return kind === 'gif' || kind === 'webp';
}

async function makeStill(job: ImageJob, image: Sharp): Promise<ProcessedImage> {
  // Decodes the image once for all variants.
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
