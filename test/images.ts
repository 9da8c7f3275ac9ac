import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { readConfig } from '../src/config.ts';
import { openMediaStore } from '../src/media/open-store.ts';

/* Real images, as small as their tests allow. */

const colours = ['#b4532a', '#0a7d4f', '#2a5db4', '#e0c040'];

/** Returns a picture with colours and edges, so that tests can recognize its variants. Each seed gives another picture. */
export function picture(width: number, height: number, seed = 0): Sharp {
  const bar = (index: number) => ({
    input: { create: { width: Math.ceil(width / 8), height, channels: 3 as const, background: colours[index]! } },
    left: Math.floor((width / 4) * index),
    top: 0,
  });
  const background = { r: seed % 256, g: 200, b: 220 };
  return sharp({ create: { width, height, channels: 3, background } }).composite([0, 1, 2, 3].map(bar));
}

/** Returns a JPEG like a phone's photo: rotated by its EXIF orientation, and with the place where it was taken. */
export function photo(width: number, height: number, seed = 0): Promise<Buffer> {
  return picture(width, height, seed)
    .jpeg()
    .withExif({
      IFD0: { Artist: 'Ann Baker', Orientation: '6' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '13/1 24/1 0/1' },
    })
    .withMetadata({ orientation: 6 })
    .toBuffer();
}

/** Returns an animated GIF of two frames. */
export async function movingGif(width: number, height: number): Promise<Buffer> {
  const frames = await Promise.all([0, 100].map((seed) => picture(width, height, seed).png().toBuffer()));
  return sharp(frames, { join: { animated: true } })
    .gif({ delay: [100, 100], loop: 0 })
    .toBuffer();
}

/** Returns a PNG of a few bytes whose header claims this size. */
export function pngOf(width: number, height: number): Buffer {
  return Buffer.concat([
    pngHeader(width, height),
    pngChunk('IDAT', Buffer.from([0x78, 0x9c])),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Returns the beginning of a PNG; by default it has eight bits a channel and transparency. */
export function pngHeader(width: number, height: number, { depth = 8, type = 6 } = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, type], 8);
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), pngChunk('IHDR', header)]);
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}

/** A media store without images: its folder does not exist. */
export const noImages = openMediaStore(readConfig({ DATA_DIR: join(import.meta.dirname, 'none') }));
