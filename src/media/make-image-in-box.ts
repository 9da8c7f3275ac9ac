import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { ImageMaker } from './image-maker.ts';
import { kindOf } from './kind-of.ts';
import { receiveUpload } from './receive-upload.ts';

export interface ImageInBox {
  readonly png: Buffer;
  /** The width in pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * Receives an image and makes one PNG from it, which every mail program shows, no larger than the box. Of an animation, it
 * takes the first frame.
 * @throws the errors of `uploadImage`
 */
export async function makeImageInBox(
  maker: ImageMaker,
  accountId: number,
  { source, limit, box }: { source: Readable; limit: number; box: { width: number; height: number } },
): Promise<ImageInBox> {
  await using upload = await receiveUpload(source, { limit, holder: await maker.findHolder(accountId) });
  const { hash, path, folder } = upload;
  const { width, height, files } = await maker.make(accountId, { path, kind: kindOf(upload.head), hash, folder, box });
  const [file] = Object.keys(files);
  return { png: await readFile(join(folder, file!)), width, height };
}
