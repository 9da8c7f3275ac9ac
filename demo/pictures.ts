import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { ImageMaker } from '../src/media/image-maker.ts';
import type { ImageJob, ProcessedImage } from '../src/media/make-variants.ts';
import { drawScene, type SceneName } from './scenes.ts';

export interface Picture {
  /** The name of the file. */
  name: string;
  bytes: Buffer;
}

/** The alternative texts of the pictures. */
export const descriptions: Readonly<Record<SceneName, string>> = {
  loaves: 'Five loaves on a wooden table',
  grain: 'A field of wheat in the evening sun',
  shopfront: 'A shop window below a striped awning',
  pipes: 'Copper pipes with two red valves on a tiled wall',
  bathroom: 'A bathroom with a white tub below a window',
  tools: 'Hammers, spanners and chisels in a row',
  mats: 'A bright room with mats on the floor',
  sunrise: 'The sun rises behind five ranges of hills',
  stones: 'Five smooth stones on top of each other',
  books: 'Three shelves of old books',
  facade: 'A tall house with fifteen windows',
  desk: 'A desk with a lamp beside the window',
  cup: 'A cup of coffee with a heart in its foam',
  flowers: 'Dahlias in many colours',
  meadow: 'A meadow with small flowers',
  planks: 'Stacked oak boards',
  table: 'A long table with four chairs',
  room: 'A bed in a bright room',
  lake: 'A jetty leads into a quiet lake',
  bokeh: 'Two people dance below strings of lights',
  bicycle: 'A bicycle leans on a brick wall',
};

export async function drawPicture(scene: SceneName, accent: string, seed: number): Promise<Picture> {
  const bytes = await sharp(Buffer.from(drawScene(scene, accent, seed)))
    .jpeg({ quality: 88 })
    .toBuffer();
  return { name: `${scene}.jpg`, bytes };
}

/** Longer than the slowest machine needs. */
const MAX_WAIT_MS = 60 * 60 * 1000;

/**
 * Makes the variants of each picture once, in two processes, however many accounts upload it: encoding is most of the work of the
 * demo.
 */
export class SharedImageMaker extends ImageMaker {
  // All pictures are queued at once and no client waits for them, so the usual limit on waiting does not apply.
  readonly #makers = [new ImageMaker({ maxWaitMs: MAX_WAIT_MS }), new ImageMaker({ maxWaitMs: MAX_WAIT_MS })] as const;
  readonly #made = new Map<string, Promise<ProcessedImage>>();
  readonly #folder: string;

  constructor(folder: string) {
    super();
    this.#folder = folder;
    mkdirSync(folder);
  }

  /** Starts making the variants of a picture that will be uploaded. */
  prepare({ bytes }: Picture): Promise<ProcessedImage> {
    // Uploads are identified by this hash.
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
    return this.#made.getOrInsertComputed(hash, () => {
      const path = join(this.#folder, hash);
      writeFileSync(path, bytes);
      const maker = this.#makers[this.#made.size % 2]!;
      return maker.make(this.#made.size, { path, kind: 'jpeg', hash, folder: this.#folder });
    });
  }

  override async make(_accountId: number, { hash, folder }: ImageJob): Promise<ProcessedImage> {
    const made = await this.#made.get(hash)!;
    for (const file of Object.keys(made.files)) copyFileSync(join(this.#folder, file), join(folder, file));
    return made;
  }

  override close(): void {
    for (const maker of this.#makers) maker.close();
    super.close();
  }
}
