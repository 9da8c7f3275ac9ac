import type { MediaKind } from '../db/schema.ts';
import { MAX_PIXELS } from './image-limits.ts';

/**
 * The most scans: a progressive JPEG has about ten. Each scan covers all pixels again, but takes only a few bytes of the
 * file.
 */
const MAX_SCANS = 100;

/** The largest colour profile: those for printing have up to 2 MB. */
const MAX_PROFILE_BYTES = 4_000_000;

/** The largest Exif data: cameras write some KB. */
const MAX_EXIF_BYTES = 1_000_000;

/** The most texts in a PNG: programs write a few, often uncompressed. */
const MAX_TEXTS = 100;

/** The most compressed texts: the decoder decompresses up to 8 MB of each, in 30 ms, and twice. A hundred texts take 11 s. */
const MAX_COMPRESSED_TEXTS = 20;

/**
 * Returns true if decoding the file would take much longer than its number of pixels explains. Reads only the structure of
 * the file and decodes nothing. Returns false for damaged files, which the decoder reports.
 */
export function isCostly(file: Buffer, kind: MediaKind): boolean {
  if (kind === 'jpeg') return isCostlyJpeg(file);
  if (kind === 'png') return isCostlyPng(file);
  if (kind === 'gif') return gifPixels(file) > MAX_PIXELS;
  if (kind === 'webp') return isCostlyWebp(file);
  return false;
}

const [MARKER, START_OF_IMAGE, END_OF_IMAGE, START_OF_SCAN] = [0xff, 0xd8, 0xd9, 0xda];

/** The bytes with which segments of Exif data and of a colour profile begin. */
const EXIF = Buffer.from('Exif\0\0');
const PROFILE = Buffer.from('ICC_PROFILE');

function isCostlyJpeg(file: Buffer): boolean {
  let [scans, profile, exif] = [0, 0, 0];
  for (let at = 0; at + 4 <= file.length; ) {
    if (file[at] !== MARKER) {
      at += 1;
      continue;
    }
    const marker = file[at + 1]!;
    // Within a scan, these bytes are a value of 255, a restart marker and a filler.
    if (marker === 0 || (marker >= 0xd0 && marker <= 0xd7) || marker === MARKER) {
      at += marker === MARKER ? 1 : 2;
      continue;
    }
    if (marker === END_OF_IMAGE) break;
    if (marker === START_OF_IMAGE) {
      at += 2;
      continue;
    }
    const length = file.readUInt16BE(at + 2);
    if (marker === START_OF_SCAN) scans += 1;
    if (file.subarray(at + 4, at + 10).equals(EXIF)) exif += length;
    if (file.subarray(at + 4, at + 15).equals(PROFILE)) profile += length;
    if (scans > MAX_SCANS || profile > MAX_PROFILE_BYTES || exif > MAX_EXIF_BYTES) return true;
    at += 2 + length;
  }
  return false;
}

function isCostlyPng(file: Buffer): boolean {
  let [texts, compressed] = [0, 0];
  for (let at = 8; at + 8 <= file.length; ) {
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    if (type === 'tEXt' || type === 'zTXt' || type === 'iTXt') texts += 1;
    if (type === 'zTXt' || type === 'iTXt') compressed += 1;
    if (compressed > MAX_COMPRESSED_TEXTS) return true;
    if (texts > MAX_TEXTS || (type === 'eXIf' && length > MAX_EXIF_BYTES)) return true;
    if (type === 'iCCP' && length > MAX_PROFILE_BYTES) return true;
    at += 12 + length;
  }
  return false;
}

function isCostlyWebp(file: Buffer): boolean {
  for (let at = 12; at + 8 <= file.length; ) {
    const type = file.toString('latin1', at, at + 4);
    const length = file.readUInt32LE(at + 4);
    if (type === 'ICCP' && length > MAX_PROFILE_BYTES) return true;
    if (type === 'EXIF' && length > MAX_EXIF_BYTES) return true;
    at += 8 + length + (length % 2);
  }
  return false;
}

/** Returns the total pixels of all frames of a GIF. A frame may be larger than the image. */
function gifPixels(file: Buffer): number {
  const colours = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let pixels = 0;
  for (let at = 13 + colours(file[10] ?? 0); at + 10 <= file.length; ) {
    const introducer = file[at];
    if (introducer === 0x21) at += 2;
    else if (introducer === 0x2c) {
      pixels += file.readUInt16LE(at + 5) * file.readUInt16LE(at + 7);
      at += 11 + colours(file[at + 9]!);
    } else break;
    // Skips blocks of up to 255 bytes, each preceded by its length. An empty block is the last.
    for (let length = file[at] ?? 0; length > 0; length = file[at] ?? 0) at += 1 + length;
    at += 1;
  }
  return pixels;
}
